BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'bohnenpost','m0001_start','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'bohnenpost','m0002_joining','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'bohnenpost','m0003_desk','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'bohnenpost','m0004_proof','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'bohnenpost','m0005_short_events','2026-11-20 12:00:00+00:00');
CREATE TABLE attempt (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE beat (
            at INTEGER PRIMARY KEY
        ) STRICT;
CREATE TABLE game (
            id TEXT PRIMARY KEY,
            variant TEXT NOT NULL,
            name TEXT NOT NULL,
            gm_name TEXT NOT NULL,
            gm_address TEXT NOT NULL,
            gm_language TEXT NOT NULL CHECK (gm_language IN ('de', 'en')),
            house_rules TEXT NOT NULL CHECK (json_valid(house_rules)),
            rule TEXT NOT NULL CHECK (json_valid(rule)),
            early_after INTEGER CHECK (early_after >= 0),
            silence_guard INTEGER NOT NULL CHECK (silence_guard IN (0, 1)),
            status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'running', 'paused', 'held', 'finished')),
            commitment TEXT,
            setup TEXT CHECK (setup IS NULL OR json_valid(setup)),
            round INTEGER NOT NULL DEFAULT 0,
            round_at INTEGER,
            regular INTEGER,
            deadline INTEGER,
            sequence INTEGER NOT NULL DEFAULT 0,
            paused_at INTEGER,
            created_at INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            retry_at INTEGER,
            error TEXT, seats INTEGER CHECK (seats > 0), listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)), aborted INTEGER NOT NULL DEFAULT 0 CHECK (aborted IN (0, 1)), archived_at INTEGER, reviewed TEXT, reviewed_at INTEGER, level INTEGER NOT NULL DEFAULT 1 CHECK (level IN (1, 2)), links_given INTEGER NOT NULL DEFAULT 0, verdict TEXT, hindsight TEXT CHECK (hindsight IS NULL OR json_valid(hindsight)),
            CHECK ((status = 'paused') = (paused_at IS NOT NULL)),
            CHECK (deadline IS NULL OR status IN ('running', 'paused', 'held'))
        ) STRICT;
INSERT INTO "game" VALUES('gemach','postal','Gemach','Uli','uli@example.org','de','{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'finished','2db236bb499b137eda1b11591d1cb9d956e23988d06b10276eec048f898dd46b','{"format":"bohnenpost-setup/1","algorithm":"bohn-shuffle-1","level":2,"variant":"postal","game":"gemach","seats":["Zoë","Anna","Bert","Cem","Rosa"],"house_rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"deck":[["princess",6],["mung",8],["broad",10],["magic",12],["climbing",14],["bush",16],["snake",16],["snap",18]]}',4,1796583600,1797188400,NULL,5,NULL,1795176000,0,NULL,NULL,NULL,1,0,NULL,'2 0.1.0',1796583600,2,0,'PROVEN','{"best":8,"plan":["1>A 3>B 4>C 5>B HB 8>B","1>A 2>A 3>A 4>B 6>A 7>B 8>C","HB 1>B 2>A HA 3>A 4>C 5>C 6>A 8>B"],"robot":5,"seats":{"Zoë":{"talers":6,"worst_round":0,"lost":0,"rounds":[[1,1],[2,2],[3,3]]},"Anna":{"talers":8,"worst_round":0,"lost":0,"rounds":[[1,1],[4,4],[3,3]]},"Bert":{"talers":0,"worst_round":3,"lost":2,"rounds":[[1,0],[1,0],[2,0]]},"Cem":{"talers":0,"worst_round":3,"lost":2,"rounds":[[1,0],[1,0],[2,0]]},"Rosa":{"talers":2,"worst_round":1,"lost":1,"rounds":[[1,0],[1,1],[1,1]]}}}');
INSERT INTO "game" VALUES('ackerwinde','postal','Ackerwinde','Uli','uli@example.org','de','{"rounds":4,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'running','4363066bc5b25931220ebdd49bd18238161f118e86d20419e29b6277829fb5f7','{"format":"bohnenpost-setup/1","algorithm":"bohn-shuffle-1","level":2,"variant":"postal","game":"ackerwinde","seats":["Anna","Bert","Cem","Rosa"],"house_rules":{"rounds":4,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"deck":[["princess",6],["mung",8],["broad",10],["magic",12],["climbing",14],["bush",16],["snake",16],["snap",18]]}',3,1798398000,1799002800,1799002800,2,NULL,1795176000,0,NULL,NULL,NULL,1,0,NULL,'2 0.1.0',1798398000,2,0,NULL,NULL);
INSERT INTO "game" VALUES('brache','postal','Brache','Uli','uli@example.org','de','{"rounds":3,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'open','c5bdb34f9f519eb6d193ddac319294b605b6431969278f12ee95778b37f5b11b',NULL,0,NULL,NULL,NULL,0,NULL,1798398000,0,NULL,NULL,NULL,1,0,NULL,NULL,NULL,2,0,NULL,NULL);
CREATE TABLE game_gm (
            game TEXT NOT NULL REFERENCES game (id),
            address TEXT NOT NULL,
            PRIMARY KEY (game, address)
        ) STRICT;
INSERT INTO "game_gm" VALUES('gemach','uli@example.org');
INSERT INTO "game_gm" VALUES('ackerwinde','uli@example.org');
INSERT INTO "game_gm" VALUES('brache','uli@example.org');
CREATE TABLE gm (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            password TEXT,
            link_number INTEGER NOT NULL DEFAULT 1,
            link_at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE joining (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL REFERENCES game (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            confirmed_at INTEGER
        , phrase TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE mail (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL REFERENCES game (id),
            round INTEGER NOT NULL,
            seat INTEGER,
            kind TEXT NOT NULL,
            about INTEGER NOT NULL DEFAULT 0,
            deadline INTEGER NOT NULL DEFAULT 0,
            address TEXT NOT NULL,
            language TEXT NOT NULL,
            link_number INTEGER NOT NULL,
            message_id TEXT NOT NULL UNIQUE,
            queued_at INTEGER NOT NULL,
            written_at INTEGER,
            bytes BLOB,
            digest TEXT,
            tries INTEGER NOT NULL DEFAULT 0,
            first_try INTEGER,
            next_try INTEGER NOT NULL,
            sent_at INTEGER,
            failed_at INTEGER,
            withdrawn_at INTEGER,
            error TEXT,
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT;
INSERT INTO "mail" VALUES(1,'gemach',0,1,'start',0,0,'zoe@gemach.example.org','de',1,'<start.0.gemach.ddce5ed8c7a3707a@localhost>',1795176000,1795374000,NULL,'83882d2f27f6567d83e14008fbca3bf1802e6eee469e11d694090ecd7489b5a8',1,NULL,1795374900,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(2,'gemach',0,2,'start',0,0,'anna@gemach.example.org','de',1,'<start.0.gemach.af99039f48c75c81@localhost>',1795176000,1795374000,NULL,'44fe7a8740d49747bc79b6bf3a2750bc4d4d6bfd8db1e523c128e19a32b32eb1',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(3,'gemach',0,3,'start',0,0,'bert@gemach.example.org','en',1,'<start.0.gemach.783c3f71c89a0aa4@localhost>',1795176000,1795374000,NULL,'d5755c6bd2011d9a757bce9827d23127fe905dfe9cb2e995cd7ee9e8ea1bb337',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(4,'gemach',0,4,'start',0,0,'cem@gemach.example.org','de',1,'<start.0.gemach.1d2fd4ebc25158fd@localhost>',1795176000,1795374000,NULL,'1e85387d5fdbea92fdfcbb64c866e852a654e34ead1d98902b5bbaf3dd5a3269',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(5,'gemach',1,1,'receipt',1,0,'zoe@gemach.example.org','de',1,'<receipt.1.gemach.0763b3d22b12379e@localhost>',1795176000,1795374000,NULL,'bd4e6f5ce4c583d3e49d6697a95030e21442c26de7f0a63fb7a780ece0300d79',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(6,'gemach',1,2,'receipt',1,0,'anna@gemach.example.org','de',1,'<receipt.1.gemach.c76177e6d503c505@localhost>',1795176000,1795374000,NULL,'76139d13d40b07ac0df8ff3c504338755f09019f88b21ba304d6fc23ff025a60',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(7,'gemach',1,3,'receipt',1,0,'bert@gemach.example.org','en',1,'<receipt.1.gemach.2f07fe85cd4af740@localhost>',1795176000,1795374000,NULL,'28d8a36bb5622f800e7ddd4cfdf94a9b36602d1871eaf62c31a39c782b5d704a',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(8,'gemach',1,1,'report',0,0,'zoe@gemach.example.org','de',1,'<report.1.gemach.d265590e48d5106f@localhost>',1795374000,1795374000,NULL,'3313001de3738a0567962eb3ecf1dc23377b7653c06fa67af3e3700044af108a',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(9,'gemach',1,2,'report',0,0,'anna@gemach.example.org','de',1,'<report.1.gemach.673e934ca05d2b36@localhost>',1795374000,1795374000,NULL,'8318b056dd4f78997f4e6de2e007586ccbf1947a8061707eb1d4e455f1ba7605',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(10,'gemach',1,3,'report',0,0,'bert@gemach.example.org','en',1,'<report.1.gemach.46eccd32e2b36df4@localhost>',1795374000,1795374000,NULL,'4687efad5ad86868ca3319ea8492d84aa23fb779ee65225993a45c38e7baa88f',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(11,'gemach',1,4,'report',0,0,'cem@gemach.example.org','de',1,'<report.1.gemach.e339b5d3def1c3ff@localhost>',1795374000,1795374000,NULL,'46b6f3ea256abc8a3c5fff50b251c1939b9cad68867c01a3722206b39bf482e0',1,NULL,1795374901,1795374001,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(12,'gemach',2,2,'receipt',1,0,'anna@gemach.example.org','de',1,'<receipt.2.gemach.0a3bbd9c5cdd02fc@localhost>',1795374000,1796065200,NULL,'d299bffba7ea923fc0e8f88d48a0e9eea868df758a5760536fb0a094b66a64dc',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(13,'gemach',2,3,'receipt',1,0,'bert@gemach.example.org','en',1,'<receipt.2.gemach.cf63d5a77f633bb1@localhost>',1795374000,1796065200,NULL,'80520094f4a90eb01bc4d770d93b2805889d7bdbbdb071ef234fb2c54ce0b4f0',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(14,'gemach',2,1,'news',2,0,'zoe@gemach.example.org','de',1,'<news.2.gemach.736bf98d56e91d9a@localhost>',1795374000,1796065200,NULL,'efc4c7c2e2b71be3c4637d1a9bc95d5a3a1a32ebbd36d300c09cdf9859f14436',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(15,'gemach',2,2,'news',2,0,'anna@gemach.example.org','de',1,'<news.2.gemach.7884d34a72853fe0@localhost>',1795374000,1796065200,NULL,'3f817b432c05d1dff1156f926225025d010cd895edb34cf622383f4768bf1bd4',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(16,'gemach',2,3,'news',2,0,'bert@gemach.example.org','en',1,'<news.2.gemach.f6c6c4ee22137c49@localhost>',1795374000,1796065200,NULL,'efcdaa8b5c9a17bc67c7790d477651dc7f5666c7c9bca4dc6501cc317ebb0e23',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(17,'gemach',2,4,'news',2,0,'cem@gemach.example.org','de',1,'<news.2.gemach.2acb045b53d94dbb@localhost>',1795374000,1796065200,NULL,'d5bd2cd9f89da382af762cee3f451fe816e39951ed312cb8ed024bf52f190148',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(18,'gemach',2,4,'receipt',1,0,'cem@gemach.example.org','de',1,'<receipt.2.gemach.9883907e81a5f8fc@localhost>',1795374000,1796065200,NULL,'c2ca5fa7b3426ed5e8b2e0107296840d9fc04cc4bc30661ad86737dc724b440e',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(19,'gemach',2,1,'report',0,0,'zoe@gemach.example.org','de',1,'<report.2.gemach.b465f6e443953273@localhost>',1796065200,1796065200,NULL,'44d41aa34ce50dd24ae6281deee228829022eb4b77d63997ff94b07a380476ce',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(20,'gemach',2,2,'report',0,0,'anna@gemach.example.org','de',1,'<report.2.gemach.a7173ae57911308d@localhost>',1796065200,1796065200,NULL,'9ee89f78209bd4a6d0d3bdb473c02e820f97ce729fdefb3a127a371496dd09c1',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(21,'gemach',2,3,'report',0,0,'bert@gemach.example.org','en',1,'<report.2.gemach.9c640386fb86da6a@localhost>',1796065200,1796065200,NULL,'6396acddc465d11178518e1f3af36f3fb0301675386d70bbde196b26b0398a46',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(22,'gemach',2,4,'report',0,0,'cem@gemach.example.org','de',1,'<report.2.gemach.d1717ea906a5d40b@localhost>',1796065200,1796065200,NULL,'f404446ec8f4e3f499a54fa079726c47e4e6f1f2c33568224b6fe042b888a6de',1,NULL,1796066100,1796065200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(23,'gemach',2,1,'news',4,0,'zoe@gemach.example.org','de',1,'<news.2.gemach.38c57affaaa0ce28@localhost>',1796065200,1796583600,NULL,'fe3f0f2c4ad64b4004bbbbaa79f59e28e9a973a8512ad0446fd33c5477b434f0',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(24,'gemach',2,2,'news',4,0,'anna@gemach.example.org','de',1,'<news.2.gemach.0526605d55ad3b7d@localhost>',1796065200,1796583600,NULL,'d32e0a59a51e5ac61a759dd69cb000cb88a494418f9bab36304a385ccad51093',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(25,'gemach',2,3,'news',4,0,'bert@gemach.example.org','en',1,'<news.2.gemach.8ced68c7cd1b3665@localhost>',1796065200,1796583600,NULL,'cc75808e64b03f0ece0ed15975a568913c5b65db5e9eb4cc02c705ab2c4db267',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(26,'gemach',2,4,'news',4,0,'cem@gemach.example.org','de',1,'<news.2.gemach.5b1565e6ca3ed0ce@localhost>',1796065200,1796583600,NULL,'b491e155a532ab61d3296a603a5dbf1d489ab13f7d82f52218b8f11c7c34e378',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(27,'gemach',3,1,'news',5,0,'zoe@gemach.example.org','de',1,'<news.3.gemach.9d7f364bbc319a21@localhost>',1796583600,1796583600,NULL,'5f2fad1a11c43f8e08afb13c3e816cd34f15fcbb21156b5d052d088a78a30492',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(28,'gemach',3,2,'news',5,0,'anna@gemach.example.org','de',1,'<news.3.gemach.bfd20de54b59ffc2@localhost>',1796583600,1796583600,NULL,'e63bc1e538c804e67d7f1c0ad1961a1612aa1857c002cb29dd843d2c74b50982',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(29,'gemach',3,3,'news',5,0,'bert@gemach.example.org','en',1,'<news.3.gemach.8cf9ba0f5389bd2c@localhost>',1796583600,1796583600,NULL,'08451c4049418b9e64f790e043fb6b604fb710d46466ae48ed1df645b01ea152',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(30,'gemach',3,4,'news',5,0,'cem@gemach.example.org','de',1,'<news.3.gemach.37bee03fd85e81de@localhost>',1796583600,1796583600,NULL,'9f4f7fe3d76dc13c5b4ac228d052dda48faf147f6b8a47d60785f06eeeb57422',1,NULL,1796584500,1796583600,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(31,'gemach',3,1,'receipt',1,0,'zoe@gemach.example.org','de',1,'<receipt.3.gemach.2646dc932304663b@localhost>',1796583600,1797188400,NULL,'1a67e90c9f3d4eff2f6f8fbde58725dfe94a6a50e7625b5c67f87570f1237b51',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(32,'gemach',3,2,'receipt',1,0,'anna@gemach.example.org','de',1,'<receipt.3.gemach.1182013cee9558f8@localhost>',1796583600,1797188400,NULL,'8ef7daaa1e4e250ea91750050ee9dfd6ae5daed50812b09b50b942f85d92426f',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(33,'gemach',3,3,'receipt',1,0,'bert@gemach.example.org','en',1,'<receipt.3.gemach.460d6c23f47de489@localhost>',1796583600,1797188400,NULL,'690fc0d60affa5879cbfac9c827c843d75ce40e25163c81fa0e3886a0379e39d',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(34,'gemach',3,1,'final',0,0,'zoe@gemach.example.org','de',1,'<final.3.gemach.9eb695343cdcfdb6@localhost>',1797188400,1797188400,NULL,'f4e4d2f69f56fa602d6fc8cef2c5d9c7707ec722b7d3987c64061f8f200f1d60',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(35,'gemach',3,2,'final',0,0,'anna@gemach.example.org','de',1,'<final.3.gemach.1ab0bdff8b907883@localhost>',1797188400,1797188400,NULL,'df7665f88fb8ffe6f4f1f9fa57b6fa1ea9f0703e3f51907d714db79d74d4f680',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(36,'gemach',3,3,'final',0,0,'bert@gemach.example.org','en',1,'<final.3.gemach.2fdd5241c01375c6@localhost>',1797188400,1797188400,NULL,'ec9bc59022d23b4568c7ce3c8c090e21ebadb1d8da88d68f46b4c2ce45bfb261',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(37,'gemach',3,4,'final',0,0,'cem@gemach.example.org','de',1,'<final.3.gemach.bab874ff9917fb42@localhost>',1797188400,1797188400,NULL,'16c25857db7434bb8963e9b01f2a3c1bc008b82cbccfb68621b98f8aeeba1c50',1,NULL,1797189300,1797188400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(38,'ackerwinde',0,1,'start',0,0,'anna@ackerwinde.example.org','de',1,'<start.0.ackerwinde.aba6d8e6cf2dbdb5@localhost>',1797188400,1797793200,NULL,'d8402bed9b9dc07274a11a9a0de1a0c6faf52aed26bc7c9cc8ade6033c20ea7f',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(39,'ackerwinde',0,2,'start',0,0,'bert@ackerwinde.example.org','en',1,'<start.0.ackerwinde.d77cf32d70bcaa06@localhost>',1797188400,1797793200,NULL,'cd0341a82c513d958d46fa5c231b9584c4018efc01f34aa246f020689fbd6ae9',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(40,'ackerwinde',0,3,'start',0,0,'cem@ackerwinde.example.org','de',1,'<start.0.ackerwinde.97d5809b5b9fd51b@localhost>',1797188400,1797793200,NULL,'0c4366590bac0abf95196a0aa2f6bd92435947e452362b7a1030d59ba3858ad1',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(41,'ackerwinde',1,1,'receipt',1,0,'anna@ackerwinde.example.org','de',1,'<receipt.1.ackerwinde.be8ba8b97805042c@localhost>',1797188400,1797793200,NULL,'39f821f9fcb56f57b4e4a212aa32e211209574cec489d1c390cb0a1736a761ee',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(42,'ackerwinde',1,2,'receipt',1,0,'bert@ackerwinde.example.org','en',1,'<receipt.1.ackerwinde.a75b88bf090a4823@localhost>',1797188400,1797793200,NULL,'5d534eae3c9928255baa349e985f4b50c91b7f6e685af86fcad1ec5459ce0a53',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(43,'ackerwinde',1,1,'report',0,0,'anna@ackerwinde.example.org','de',1,'<report.1.ackerwinde.0186a38c70f28a22@localhost>',1797793200,1797793200,NULL,'0fc176c907d64dc52a6224b03b3fa5d699355853dad6e21d65a8f928e925ca14',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(44,'ackerwinde',1,2,'report',0,0,'bert@ackerwinde.example.org','en',1,'<report.1.ackerwinde.c8cb313bee0a6ffc@localhost>',1797793200,1797793200,NULL,'bbeeeb9a6376b840fa598c61b840c72d770f8662bddf3797e5709aa500999c61',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(45,'ackerwinde',1,3,'report',0,0,'cem@ackerwinde.example.org','de',1,'<report.1.ackerwinde.bc08b911976845a1@localhost>',1797793200,1797793200,NULL,'1d3fbdfd5a4f60787b58aabdbb62f81b4c9044fa1b759e654b9b5a9c0181d66e',1,NULL,1797794100,1797793200,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(46,'ackerwinde',2,1,'receipt',1,0,'anna@ackerwinde.example.org','de',1,'<receipt.2.ackerwinde.a265ac87cabaf8ac@localhost>',1797793200,1798398000,NULL,'ba53cc3b841d61fc3db3ea7ccc1617f3e64459a31948f144f32b61e2d137e26e',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(47,'ackerwinde',2,2,'receipt',1,0,'bert@ackerwinde.example.org','en',1,'<receipt.2.ackerwinde.a4e3c03876300d35@localhost>',1797793200,1798398000,NULL,'f4839c7c062ecb27e40997d3a0db0d626f21ab4fb9d6e0e03dbe54803075c0c0',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(48,'ackerwinde',2,1,'report',0,0,'anna@ackerwinde.example.org','de',1,'<report.2.ackerwinde.734c109d762ea1e8@localhost>',1798398000,1798398000,NULL,'f0f2e3c955cd075fbc45e072d76198d10cb924e0430fae3184f2b74c0b451b5b',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(49,'ackerwinde',2,2,'report',0,0,'bert@ackerwinde.example.org','en',1,'<report.2.ackerwinde.dd55b919ca8e8505@localhost>',1798398000,1798398000,NULL,'2ee699b3c02c30ffa8898649d082f97b8bcfe4cab80743d8b19fad171d0f4e23',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(50,'ackerwinde',2,3,'report',0,0,'cem@ackerwinde.example.org','de',1,'<report.2.ackerwinde.b2a094274d435630@localhost>',1798398000,1798398000,NULL,'35f3e4f8052304819fe6a71e670073e0e3fee5b17d47cb77303984eb30d0401e',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(51,'ackerwinde',3,3,'receipt',1,0,'cem@ackerwinde.example.org','de',1,'<receipt.3.ackerwinde.91b47ee5afb5464e@localhost>',1798398000,1798398000,NULL,'0295e2b4f6f57e12b7ca33435c44eb9fa1427fac72108f567a46939dc7ce4c4d',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(52,'ackerwinde',3,1,'receipt',1,0,'anna@ackerwinde.example.org','de',1,'<receipt.3.ackerwinde.0647d8cbb6f135df@localhost>',1798398000,1798398000,NULL,'6268eda2bc99b28bb8823f11e26eadabc0b4aa6135b8435d8b5f232d8a3c2a79',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(53,'ackerwinde',3,2,'receipt',1,0,'bert@ackerwinde.example.org','en',1,'<receipt.3.ackerwinde.306f6118eab9a43c@localhost>',1798398000,1798398000,NULL,'35c7298b1cc8c2f449a8de8cb5acf3ee89dcd08dc02da56aee68f72930b29667',1,NULL,1798398900,1798398000,NULL,NULL,NULL);
CREATE TABLE meta (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;
INSERT INTO "meta" VALUES('link_key_check','a086bb7c4c0cf544c6793caeaa036da34d60d5562bede6a7780e13f2c0c1eaa5');
CREATE TABLE note (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL REFERENCES game (id),
            round INTEGER NOT NULL,
            kind TEXT NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL,
            seat TEXT,
            old INTEGER,
            new INTEGER
        , who TEXT) STRICT;
INSERT INTO "note" VALUES(1,'gemach',2,'comment',1795374000,'Schön „gemacht“',NULL,NULL,NULL,NULL);
INSERT INTO "note" VALUES(2,'gemach',2,'deadline',1795374000,'a fair',NULL,1795978800,1796065200,NULL);
INSERT INTO "note" VALUES(3,'gemach',2,'by_gm',1795374000,'','Cem',NULL,NULL,NULL);
INSERT INTO "note" VALUES(4,'gemach',2,'rollback',1796065200,'the wrong box',NULL,1,1796583600,NULL);
INSERT INTO "note" VALUES(5,'gemach',3,'again',1796583600,'',NULL,2,1797188400,NULL);
INSERT INTO "note" VALUES(6,'ackerwinde',3,'by_gm',1798398000,'','Cem',NULL,NULL,NULL);
INSERT INTO "note" VALUES(7,'ackerwinde',3,'comment',1798398000,'Weiter so',NULL,NULL,NULL,NULL);
CREATE TABLE press (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            text TEXT NOT NULL,
            to_gm TEXT NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (game, round, seat),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT;
INSERT INTO "press" VALUES('gemach',1,2,'Anna grüßt','',1795176000);
INSERT INTO "press" VALUES('gemach',2,2,'Anna grüßt','',1795374000);
INSERT INTO "press" VALUES('gemach',3,2,'Anna grüßt','',1796583600);
INSERT INTO "press" VALUES('ackerwinde',1,1,'Anna grüßt','',1797188400);
INSERT INTO "press" VALUES('ackerwinde',2,1,'Anna grüßt','',1797793200);
INSERT INTO "press" VALUES('ackerwinde',3,1,'Anna grüßt','',1798398000);
CREATE TABLE revision (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            orders TEXT NOT NULL CHECK (orders <> ''),
            at INTEGER NOT NULL, salt BLOB CHECK (length(salt) = 16), by_gm INTEGER NOT NULL DEFAULT 0 CHECK (by_gm IN (0, 1)), void_at INTEGER,
            PRIMARY KEY (game, round, seat, number),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT;
INSERT INTO "revision" VALUES('gemach',1,1,1,'1>A 3>B 4>C 5>B HB 7>B',1795176000,X'FF448B5CCB740880226FBC7F22C04C04',0,NULL);
INSERT INTO "revision" VALUES('gemach',1,2,1,'1>A 2>B 3>C 5>C 6>B HC 8>C',1795176000,X'A7BB9C0BB3F2589509E64FAA8ABED669',0,NULL);
INSERT INTO "revision" VALUES('gemach',1,3,1,'pass',1795176000,X'51523BB369A5E112039FACBA690FE684',0,NULL);
INSERT INTO "revision" VALUES('gemach',2,5,1,'1>A 2>A 3>A 4>B 5>C 7>B HA 8>A',1795374000,X'E53BAFDEBBAFDB9CD39FDC2E4BC03AF1',0,NULL);
INSERT INTO "revision" VALUES('gemach',2,2,1,'1>A 2>A 3>A 4>C 5>B 6>A 7>C',1795374000,X'A731A64859A1E6ADE1FEAEC8D14EBF0D',0,NULL);
INSERT INTO "revision" VALUES('gemach',2,3,1,'pass',1795374000,X'FB87BE80BEFE2A07A2CE7330E540DE16',0,NULL);
INSERT INTO "revision" VALUES('gemach',2,4,1,'pass',1795374000,X'21A15B94E36F169B81858ED4F82667D9',1,NULL);
INSERT INTO "revision" VALUES('gemach',3,5,1,'3>B 4>A 5>A HB 8>B',1796065200,X'37C080A4E3C7B872AC60E762E87FD22E',0,1796065200);
INSERT INTO "revision" VALUES('gemach',3,5,2,'3>B 4>A 5>A HB 8>B',1796583600,X'6B380D69102E7F23BEA453C1F2E3801D',0,NULL);
INSERT INTO "revision" VALUES('gemach',3,1,1,'HA 1>A 4>C 5>C HC 7>C 8>A HA',1796583600,X'D1C8B3227B7A5811C57CBD0AFC1146D4',0,NULL);
INSERT INTO "revision" VALUES('gemach',3,2,1,'HB 1>B 2>A HC 3>C HA 4>A 5>A 6>C 8>B HB',1796583600,X'F47DE91272115B6BD5FCB3F0BEB81D28',0,NULL);
INSERT INTO "revision" VALUES('gemach',3,3,1,'pass',1796583600,X'6D52501095F6310665188A640ED086FE',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',1,1,1,'1>A 2>B 3>B 4>C 6>C HC 8>C',1797188400,X'D82113817BA9A2BD714B978936C2D0C9',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',1,2,1,'pass',1797188400,X'9DA0518C49431200B1C84C88F8FFDAA6',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',2,4,1,'1>A 3>B 5>B 7>C 8>C',1797793200,X'A17B7F0B8EEA92A1FA0541E44C6F0F22',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',2,1,1,'2>C 3>B HB 4>B 7>A 8>A',1797793200,X'2849E65B382E0F1ACB512291EA806B86',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',2,2,1,'pass',1797793200,X'4E7FBD963BEFB45DA072DCB40CEADD6D',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',3,4,1,'1>B HB 3>B HB 4>B 6>B HB 8>B',1798398000,X'32AD7BDDC50C0C3AF18B739A69C775A0',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',3,3,1,'pass',1798398000,X'9E2665B3452EE33CADDE1DEDD977650E',1,NULL);
INSERT INTO "revision" VALUES('ackerwinde',3,1,1,'4>B 6>B 7>C',1798398000,X'3371ED0C8E34288FA31463B4A86DA0CD',0,NULL);
INSERT INTO "revision" VALUES('ackerwinde',3,2,1,'pass',1798398000,X'CEB847441373B42EA2B7EDCEC22839BF',0,NULL);
CREATE TABLE round (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            deadline INTEGER,
            closed_at INTEGER NOT NULL,
            orders TEXT NOT NULL CHECK (json_valid(orders)),
            events TEXT NOT NULL CHECK (json_valid(events)),
            state TEXT NOT NULL CHECK (json_valid(state)), version INTEGER NOT NULL DEFAULT 1 CHECK (version > 0), receipts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(receipts)), chain TEXT,
            PRIMARY KEY (game, number)
        ) STRICT;
INSERT INTO "round" VALUES('gemach',0,NULL,1795176000,'{}','[["revealed",1,["climbing","bush","mung","snake","mung","bush","magic","snap"]]]','{"rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"round":1,"row":[["climbing",1],["bush",1],["mung",1],["snake",1],["mung",1],["bush",1],["magic",1],["snap",1]],"discard":[],"draw_pile":92,"seats":["Zoë","Anna","Bert","Cem","Rosa"],"farms":[{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{}','9da78fd4b6ec9ce76fd861ebdf1e49a357d248cade967d72abe085203e399e01');
INSERT INTO "round" VALUES('gemach',1,1795374000,1795374000,'{"Zoë":"1>A 3>B 4>C 5>B HB 7>B","Anna":"1>A 2>B 3>C 5>C 6>B HC 8>C","Bert":"pass","Cem":null,"Rosa":null}','[["planted","Zoë",1,"climbing",1,1,"A",1],["planted","Zoë",3,"mung",1,1,"B",1],["planted","Zoë",4,"snake",1,1,"C",1],["planted","Zoë",5,"mung",1,1,"B",2],["harvested","Zoë","B","mung",2,1],["planted","Zoë",7,"magic",1,1,"B",1],["planted","Anna",1,"climbing",1,1,"A",1],["planted","Anna",2,"bush",1,1,"B",1],["planted","Anna",3,"mung",1,1,"C",1],["planted","Anna",5,"mung",1,1,"C",2],["planted","Anna",6,"bush",1,1,"B",2],["harvested","Anna","C","mung",2,1],["planted","Anna",8,"snap",1,1,"C",1],["absent","Cem"],["absent","Rosa"],["discarded",[]],["revealed",2,["climbing","climbing","climbing","snap","bush","climbing","snap","snake"]]]','{"rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"round":2,"row":[["climbing",1],["climbing",1],["climbing",1],["snap",1],["bush",1],["climbing",1],["snap",1],["snake",1]],"discard":[],"draw_pile":84,"seats":["Zoë","Anna","Bert","Cem","Rosa"],"farms":[{"fields":[["climbing",1],["magic",1],["snake",1]],"talers":1},{"fields":[["climbing",1],["bush",2],["snap",1]],"talers":1},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{"Zoë":{"revision":1,"salt":"ff448b5ccb740880226fbc7f22c04c04","receipt":"8d2612aae9d12dd1229d5ac9650861d876bb65da3f7898877f080c63d86a34ae"},"Anna":{"revision":1,"salt":"a7bb9c0bb3f2589509e64faa8abed669","receipt":"c5344d457379746f4037160b8e5ae475e0b57ad5ad36329a5414eda4046007bc"},"Bert":{"revision":1,"salt":"51523bb369a5e112039facba690fe684","receipt":"ece71ff00d4ad9b052ec8b3bced083b96388106f99b0fb0274070c6e48652c32"},"Cem":null,"Rosa":null}','830285a9d76d8286c4d96c56e249e4f6a51021c3b803dccbe869616372371e9f');
INSERT INTO "round" VALUES('gemach',2,1796583600,1796583600,'{"Zoë":null,"Anna":"1>A 2>A 3>A 4>C 5>B 6>A 7>C","Bert":"pass","Cem":"pass","Rosa":"1>A 2>A 3>A 4>B 5>C 7>B HA 8>A"}','[["absent","Zoë"],["planted","Zoë",1,"climbing",1,1,"A",2],["planted","Zoë",2,"climbing",1,1,"A",3],["planted","Zoë",3,"climbing",1,1,"A",4],["planted","Zoë",6,"climbing",1,1,"A",5],["planted","Zoë",8,"snake",1,1,"C",2],["planted","Anna",1,"climbing",1,1,"A",2],["planted","Anna",2,"climbing",1,1,"A",3],["planted","Anna",3,"climbing",1,1,"A",4],["planted","Anna",4,"snap",1,1,"C",2],["planted","Anna",5,"bush",1,1,"B",3],["planted","Anna",6,"climbing",1,1,"A",5],["planted","Anna",7,"snap",1,1,"C",3],["planted","Rosa",1,"climbing",1,1,"A",1],["planted","Rosa",2,"climbing",1,1,"A",2],["planted","Rosa",3,"climbing",1,1,"A",3],["planted","Rosa",4,"snap",1,1,"B",1],["planted","Rosa",5,"bush",1,1,"C",1],["planted","Rosa",7,"snap",1,1,"B",2],["harvested","Rosa","A","climbing",3,1],["planted","Rosa",8,"snake",1,1,"A",1],["discarded",[]],["revealed",3,["princess","climbing","snap","snake","snake","snap","broad","princess"]]]','{"rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"round":3,"row":[["princess",1],["climbing",1],["snap",1],["snake",1],["snake",1],["snap",1],["broad",1],["princess",1]],"discard":[],"draw_pile":76,"seats":["Zoë","Anna","Bert","Cem","Rosa"],"farms":[{"fields":[["climbing",5],["magic",1],["snake",2]],"talers":1},{"fields":[["climbing",5],["bush",3],["snap",3]],"talers":1},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[["snake",1],["snap",2],["bush",1]],"talers":1}]}',2,'{"Zoë":null,"Anna":{"revision":1,"salt":"a731a64859a1e6ade1feaec8d14ebf0d","receipt":"7a930bec7aa3755875fa2404109a869c9f9889168fd40e870fd6139fd6d9624e"},"Bert":{"revision":1,"salt":"fb87be80befe2a07a2ce7330e540de16","receipt":"0a3dce95686571dce3c58b77732dcf7a92e6eff348d17cb874339de44c208fef"},"Cem":{"revision":1,"salt":"21a15b94e36f169b81858ed4f82667d9","receipt":"7625c7ad819d8d251ceeebd1dce47c9c42e469d73366e5cdbfa061bbd29129cb"},"Rosa":{"revision":1,"salt":"e53bafdebbafdb9cd39fdc2e4bc03af1","receipt":"81ac018d3d5946042a6e3c062cf042e87c6bf3b89ad2c02bb6d1f394411af72f"}}','3d8bf4212f22d85ab4dbabb95ee848a3b7075c2032a7e7e435500c452ebfa0b7');
INSERT INTO "round" VALUES('gemach',3,1797188400,1797188400,'{"Zoë":"HA 1>A 4>C 5>C HC 7>C 8>A HA","Anna":"HB 1>B 2>A HC 3>C HA 4>A 5>A 6>C 8>B HB","Bert":"pass","Cem":null,"Rosa":"3>B 4>A 5>A HB 8>B"}','[["harvested","Zoë","A","climbing",5,2],["planted","Zoë",1,"princess",1,1,"A",1],["planted","Zoë",4,"snake",1,1,"C",3],["planted","Zoë",5,"snake",1,1,"C",4],["harvested","Zoë","C","snake",4,1],["planted","Zoë",7,"broad",1,1,"C",1],["planted","Zoë",8,"princess",1,1,"A",2],["harvested","Zoë","A","princess",2,2],["harvested","Anna","B","bush",3,1],["planted","Anna",1,"princess",1,1,"B",1],["planted","Anna",2,"climbing",1,1,"A",6],["harvested","Anna","C","snap",3,1],["planted","Anna",3,"snap",1,1,"C",1],["harvested","Anna","A","climbing",6,3],["planted","Anna",4,"snake",1,1,"A",1],["planted","Anna",5,"snake",1,1,"A",2],["planted","Anna",6,"snap",1,1,"C",2],["planted","Anna",8,"princess",1,1,"B",2],["harvested","Anna","B","princess",2,2],["absent","Cem"],["planted","Rosa",3,"snap",1,1,"B",3],["planted","Rosa",4,"snake",1,1,"A",2],["planted","Rosa",5,"snake",1,1,"A",3],["harvested","Rosa","B","snap",3,1],["planted","Rosa",8,"princess",1,1,"B",1],["discarded",[]],["final_harvest","Zoë","B","magic",1,0],["final_harvest","Zoë","C","broad",1,0],["final_harvest","Anna","A","snake",2,0],["final_harvest","Anna","C","snap",2,0],["final_harvest","Rosa","A","snake",3,0],["final_harvest","Rosa","B","princess",1,0],["final_harvest","Rosa","C","bush",1,0],["ranked","Anna",1,8],["ranked","Zoë",2,6],["ranked","Rosa",3,2],["ranked","Bert",4,0],["ranked","Cem",4,0]]','{"rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"round":4,"row":[],"discard":[],"draw_pile":76,"seats":["Zoë","Anna","Bert","Cem","Rosa"],"farms":[{"fields":[null,["magic",1],["broad",1]],"talers":6},{"fields":[["snake",2],null,["snap",2]],"talers":8},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[["snake",3],["princess",1],["bush",1]],"talers":2}]}',1,'{"Zoë":{"revision":1,"salt":"d1c8b3227b7a5811c57cbd0afc1146d4","receipt":"65468d84ff084d050d43d5294d91f7abc9f7c0be474f56208e8b48da4d3e1500"},"Anna":{"revision":1,"salt":"f47de91272115b6bd5fcb3f0beb81d28","receipt":"be8277be5154d3b41484b3741045e3fe90f1b62506c1bb71e844a69456180d5c"},"Bert":{"revision":1,"salt":"6d52501095f6310665188a640ed086fe","receipt":"2a6df0e49f0c42c164b6269d26abf5407ab9693e01f71db62b54726e480ec302"},"Cem":null,"Rosa":{"revision":2,"salt":"6b380d69102e7f23bea453c1f2e3801d","receipt":"af036d67d74ee37a9e1be6cd83cd85f1e56f81158de34736704f37ef74c62a96"}}','5c4778c8743f6a64101541423666ef44dbf889f64c736d8724253ad0eb284aa0');
INSERT INTO "round" VALUES('ackerwinde',0,NULL,1797188400,'{}','[["revealed",1,["snake","snap","snap","mung","climbing","mung","bush","magic"]]]','{"rules":{"rounds":4,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":1,"row":[["snake",1],["snap",1],["snap",1],["mung",1],["climbing",1],["mung",1],["bush",1],["magic",1]],"discard":[],"draw_pile":92,"seats":["Anna","Bert","Cem","Rosa"],"farms":[{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{}','7ac1a18b2b65110e254ad9f74038728ad0f8d7f155311d03ec7037be966ff8a1');
INSERT INTO "round" VALUES('ackerwinde',1,1797793200,1797793200,'{"Anna":"1>A 2>B 3>B 4>C 6>C HC 8>C","Bert":"pass","Cem":null,"Rosa":null}','[["planted","Anna",1,"snake",1,1,"A",1],["planted","Anna",2,"snap",1,1,"B",1],["planted","Anna",3,"snap",1,1,"B",2],["planted","Anna",4,"mung",1,1,"C",1],["planted","Anna",6,"mung",1,1,"C",2],["harvested","Anna","C","mung",2,1],["planted","Anna",8,"magic",1,1,"C",1],["absent","Cem"],["absent","Rosa"],["discarded",["climbing","bush"]],["revealed",2,["mung","magic","snap","climbing","snap","broad","snake","snake"]]]','{"rules":{"rounds":4,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":2,"row":[["mung",1],["magic",1],["snap",1],["climbing",1],["snap",1],["broad",1],["snake",1],["snake",1]],"discard":["bush","climbing"],"draw_pile":84,"seats":["Anna","Bert","Cem","Rosa"],"farms":[{"fields":[["snake",1],["snap",2],["magic",1]],"talers":1},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{"Anna":{"revision":1,"salt":"d82113817ba9a2bd714b978936c2d0c9","receipt":"fb778179c7fc203d8a99752ad3099db34578bea4d79bb52852e3e08bd0742c2d"},"Bert":{"revision":1,"salt":"9da0518c49431200b1c84c88f8ffdaa6","receipt":"e86a9af142cfd6ae3def63cec6797ae1b70335b58ab9225b39e8336f778a778e"},"Cem":null,"Rosa":null}','3ad7aff148a4dbf59446140454c113f05b963a3495ed0a7fb59f6defddfc8f51');
INSERT INTO "round" VALUES('ackerwinde',2,1798398000,1798398000,'{"Anna":"2>C 3>B HB 4>B 7>A 8>A","Bert":"pass","Cem":null,"Rosa":"1>A 3>B 5>B 7>C 8>C"}','[["planted","Anna",2,"magic",1,1,"C",2],["planted","Anna",3,"snap",1,1,"B",3],["harvested","Anna","B","snap",3,1],["planted","Anna",4,"climbing",1,1,"B",1],["planted","Anna",7,"snake",1,1,"A",2],["planted","Anna",8,"snake",1,1,"A",3],["absent","Cem"],["planted","Rosa",1,"mung",1,1,"A",1],["planted","Rosa",3,"snap",1,1,"B",1],["planted","Rosa",5,"snap",1,1,"B",2],["planted","Rosa",7,"snake",1,1,"C",1],["planted","Rosa",8,"snake",1,1,"C",2],["discarded",["broad"]],["revealed",3,["snap","bush","broad","climbing","bush","climbing","magic","snap"]],["cascaded","broad",3],["cascaded","bush",2],["cascaded","climbing",4]]','{"rules":{"rounds":4,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":3,"row":[["snap",1],["bush",2],["broad",2],["climbing",2],["bush",1],["climbing",1],["magic",1],["snap",1]],"discard":[],"draw_pile":76,"seats":["Anna","Bert","Cem","Rosa"],"farms":[{"fields":[["snake",3],["climbing",1],["magic",2]],"talers":2},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[["mung",1],["snap",2],["snake",2]],"talers":0}]}',1,'{"Anna":{"revision":1,"salt":"2849e65b382e0f1acb512291ea806b86","receipt":"8287ea5ca54231034c5d9f7d91fe11d7ef813c3df58801d508a3af2a04214f3f"},"Bert":{"revision":1,"salt":"4e7fbd963befb45da072dcb40ceadd6d","receipt":"356d7d53b520b77bcf19181421e60af62f4ec00453e39f1451d524becd3521b7"},"Cem":null,"Rosa":{"revision":1,"salt":"a17b7f0b8eea92a1fa0541e44c6f0f22","receipt":"088072716229d07aa71a467f5871fb9fd2ad8746eeb37b956b5ec9e2dac8ef56"}}','bec6d8be0c4406342f00d6dfd16aa0cc3e30f5eb11f935a7bf7339bacf66976c');
CREATE TABLE "seat" (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            player TEXT,
            address TEXT,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            robot INTEGER NOT NULL CHECK (robot IN (0, 1)),
            link_number INTEGER NOT NULL DEFAULT 1,
            link_hash TEXT NOT NULL UNIQUE,
            calendar_hash TEXT NOT NULL UNIQUE,
            unsubscribe_hash TEXT NOT NULL UNIQUE,
            html INTEGER NOT NULL DEFAULT 1 CHECK (html IN (0, 1)),
            receipts INTEGER NOT NULL DEFAULT 1 CHECK (receipts IN (0, 1)),
            leads TEXT NOT NULL DEFAULT '[172800,21600]' CHECK (json_valid(leads)),
            asked_at INTEGER,
            ready_at INTEGER,
            away_from TEXT,
            away_to TEXT,
            removed_at INTEGER, taken_at INTEGER, phrase TEXT NOT NULL DEFAULT '',
            PRIMARY KEY (game, number),
            UNIQUE (game, name),
            CHECK (robot = 1 OR address IS NOT NULL OR removed_at IS NOT NULL)
        ) STRICT;
INSERT INTO "seat" VALUES('gemach',1,'Zoë',NULL,'zoe@gemach.example.org','de',0,1,'e29fee9e0906ca5463e31e677aac05d02280a6a47f32d6c326d2346e5deabecc','114faf9492ca2d153603312fb800574673a02573cf93586f87cfd412738d91fd','b5e7f3e06836bb75c5d597f151de813f3dc48059663432d6815c88e26807e45d',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'Schnürsenkel 7');
INSERT INTO "seat" VALUES('gemach',2,'Anna',NULL,'anna@gemach.example.org','de',0,1,'2518838cf68111cd46d1a4c52f3c4915b3ad7c5846e34b0005907a0f1c49f68b','81cca2a2229f5dd1979b6d19349ea265ea83b81c16f971ff53b575be284ec8d3','22d89d0873cc84eaeaab357f38f287cdf6cc2a1d209510a0628ec35681f74c3c',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'drei Bohnen');
INSERT INTO "seat" VALUES('gemach',3,'Bert',NULL,'bert@gemach.example.org','en',0,1,'8ce95622091d17b1dffe08b92aa4d4fb8563a74323219abfeb285346d6dac73a','25a0efc638e4c6d9ea1eb688cce7487cb7988e976e190330ec18315a3d5d5589','76e199014ded35170eff9d5945c71122eb0ca0b497c59c0d9ca0cfc2cb2cf8bc',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO "seat" VALUES('gemach',4,'Cem',NULL,'cem@gemach.example.org','de',0,1,'becc1149f11d715562d6c97b42b5b72045c9fb1b9b65cea5faa8f8730de8b05f','73e0a35fbaeb5737c5c2726b5fa44db43da8abac341dd7d34f2c88a438cb1bc3','3c9e23a0fbc6ad1ed020c1cf34b4c64ad7db62594f0981fa032004fe183d05c6',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO "seat" VALUES('gemach',5,'Rosa',NULL,NULL,'de',1,1,'712ad1da1b88826285ba7a930812bdfd8c4e59a7f153e0a0ae09cc0303db9373','1c7a44229ed8064e4f2cbc837c9b846b9819dc892cc953fe64b413ce1321c372','e4ef8bb263668b17e41864370c5368abfc82b2658dffe9301de3cdc1d55c4b00',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'beep');
INSERT INTO "seat" VALUES('ackerwinde',1,'Anna',NULL,'anna@ackerwinde.example.org','de',0,1,'9e5a14ce2bf13b8e2a49e011b713c60db09b7d29a7a7c2ae9896bbc9bbdcf8ff','6881ec511716939db36528c65338ccd0f2e013890eb7de256d96eb3330a65403','6816a0714c43f17c9e4f87cdc10da91d9e51a316fb0c0a357697f687c2f3ae89',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'drei Bohnen');
INSERT INTO "seat" VALUES('ackerwinde',2,'Bert',NULL,'bert@ackerwinde.example.org','en',0,1,'7a3798e6a592cf802d50ec1d2fa8dcd628d894a664944670ff3a9d58da0c61ff','c28137f08994124ce5a878db4c6da3a8bbc6992e7386a89968ed9d2d0f994be2','d28865c4061c8d7dd1b32a6ebbd100fbf26863780ec121f989fa879101eb5271',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'Über-Glück ☃');
INSERT INTO "seat" VALUES('ackerwinde',3,'Cem',NULL,'cem@ackerwinde.example.org','de',0,1,'445a8807afb9256a1be72d17b88346fd05dcdfd0d3958a05ada8cc800b2c4ad7','44b53c2ba3123d2e0730da8576c7440f6ab10f56a3a2407044cfac346338c3a2','8c38c9a2e93d0aaab130a93bd61c96058b2bceb61648d461a7ee75fa49dc73ad',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'');
INSERT INTO "seat" VALUES('ackerwinde',4,'Rosa',NULL,NULL,'de',1,1,'ab17309761f02f67657892f0a9e825eb9e8a8a00510bb1e65921feb2d680cdc1','245fafc183632694290d3f139d69780d28ce9829020bb280570300fa15228ea5','70c57937bd56a0c60dde0fe064ea8f051af83c947e795b033db2f44b60a4d601',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'beep');
INSERT INTO "seat" VALUES('brache',1,'Anna',NULL,'anna@brache.example.org','de',0,1,'d188c875f6260252b57454f493006626d7c7ba74db322eb93f280612726022e4','a8e5721f32016bd44c2c2a657fa08392364be94ac2a89632fe9fbefd144a3932','6e244c6f1217c084eea6c4545e48d184e5eb7f562b34001d958d0a17e80dba4a',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'drei Bohnen');
INSERT INTO "seat" VALUES('brache',2,'Rosa',NULL,NULL,'de',1,1,'daacef95d4082945653b8f1950df79c068104fd4d741b712f03c70ffe593b35d','be84ff33b231093895bd8570bdc43b38d5467f39330dd0e1ac38ed998785536e','5af4ca8ce358384147b1b6745125609f16524df96876a5cca42c5b8817ab7caa',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'beep');
CREATE TABLE secret (
            game TEXT PRIMARY KEY REFERENCES game (id),
            secret BLOB NOT NULL CHECK (length(secret) = 32)
        ) STRICT;
INSERT INTO "secret" VALUES('gemach',X'DFE286EF7E00C8BB8F9EF7F2A8C18CC73A5131A22F9D6B9AC54F266628B369AB');
INSERT INTO "secret" VALUES('ackerwinde',X'4FC03E28A707C52D3F95BFF6C75B799DE2F0FADE651E5A618517ABB844D7FB67');
INSERT INTO "secret" VALUES('brache',X'B4EDE6DB4E65EF6C4C5B04493038D4A5F9BF9D5742485E2EE90A55287B987DB2');
CREATE TABLE session (
            hash TEXT PRIMARY KEY,
            address TEXT NOT NULL REFERENCES gm (address),
            at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE standby (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE withdrawn (
            game TEXT NOT NULL REFERENCES game (id),
            number INTEGER NOT NULL,
            version INTEGER NOT NULL,
            deadline INTEGER,
            closed_at INTEGER NOT NULL,
            orders TEXT NOT NULL CHECK (json_valid(orders)),
            events TEXT NOT NULL CHECK (json_valid(events)),
            state TEXT NOT NULL CHECK (json_valid(state)), receipts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(receipts)), chain TEXT,
            PRIMARY KEY (game, number, version)
        ) STRICT;
INSERT INTO "withdrawn" VALUES('gemach',2,1,1796065200,1796065200,'{"Zoë":null,"Anna":"1>A 2>A 3>A 4>C 5>B 6>A 7>C","Bert":"pass","Cem":"pass","Rosa":"1>A 2>A 3>A 4>B 5>C 7>B HA 8>A"}','[["absent","Zoë"],["planted","Zoë",1,"climbing",1,1,"A",2],["planted","Zoë",2,"climbing",1,1,"A",3],["planted","Zoë",3,"climbing",1,1,"A",4],["planted","Zoë",6,"climbing",1,1,"A",5],["planted","Zoë",8,"snake",1,1,"C",2],["planted","Anna",1,"climbing",1,1,"A",2],["planted","Anna",2,"climbing",1,1,"A",3],["planted","Anna",3,"climbing",1,1,"A",4],["planted","Anna",4,"snap",1,1,"C",2],["planted","Anna",5,"bush",1,1,"B",3],["planted","Anna",6,"climbing",1,1,"A",5],["planted","Anna",7,"snap",1,1,"C",3],["planted","Rosa",1,"climbing",1,1,"A",1],["planted","Rosa",2,"climbing",1,1,"A",2],["planted","Rosa",3,"climbing",1,1,"A",3],["planted","Rosa",4,"snap",1,1,"B",1],["planted","Rosa",5,"bush",1,1,"C",1],["planted","Rosa",7,"snap",1,1,"B",2],["harvested","Rosa","A","climbing",3,1],["planted","Rosa",8,"snake",1,1,"A",1],["discarded",[]],["revealed",3,["princess","climbing","snap","snake","snake","snap","broad","princess"]]]','{"rules":{"rounds":3,"discard_order":"descending","nmr_empty":false,"nmr_harvest":"eager"},"round":3,"row":[["princess",1],["climbing",1],["snap",1],["snake",1],["snake",1],["snap",1],["broad",1],["princess",1]],"discard":[],"draw_pile":76,"seats":["Zoë","Anna","Bert","Cem","Rosa"],"farms":[{"fields":[["climbing",5],["magic",1],["snake",2]],"talers":1},{"fields":[["climbing",5],["bush",3],["snap",3]],"talers":1},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[["snake",1],["snap",2],["bush",1]],"talers":1}]}','{"Zoë":null,"Anna":{"revision":1,"salt":"a731a64859a1e6ade1feaec8d14ebf0d","receipt":"7a930bec7aa3755875fa2404109a869c9f9889168fd40e870fd6139fd6d9624e"},"Bert":{"revision":1,"salt":"fb87be80befe2a07a2ce7330e540de16","receipt":"0a3dce95686571dce3c58b77732dcf7a92e6eff348d17cb874339de44c208fef"},"Cem":{"revision":1,"salt":"21a15b94e36f169b81858ed4f82667d9","receipt":"7625c7ad819d8d251ceeebd1dce47c9c42e469d73366e5cdbfa061bbd29129cb"},"Rosa":{"revision":1,"salt":"e53bafdebbafdb9cd39fdc2e4bc03af1","receipt":"81ac018d3d5946042a6e3c062cf042e87c6bf3b89ad2c02bb6d1f394411af72f"}}','69002add86f7ab0a34e913ec1bc709f97ee466ea7aa91bf404aa2a6084ae3ba4');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE INDEX game_due ON game (deadline) WHERE status = 'running';
CREATE INDEX note_of_round ON note (game, round);
CREATE UNIQUE INDEX mail_once ON mail (game, round, coalesce(seat, 0), kind, about, deadline);
CREATE INDEX mail_to_write ON mail (id) WHERE written_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX mail_to_send ON mail (next_try)
            WHERE written_at IS NOT NULL AND sent_at IS NULL AND failed_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX attempt_of_key ON attempt (key, at);
CREATE INDEX seat_of_address ON seat (lower(address));
DELETE FROM "sqlite_sequence";
COMMIT;
