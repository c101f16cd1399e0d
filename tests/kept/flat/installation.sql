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
INSERT INTO "_sqlite_migrations" VALUES(6,'bohnenpost','m0006_given_up','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(7,'bohnenpost','m0007_time','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(8,'bohnenpost','m0008_sources','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(9,'bohnenpost','m0009_inbox','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(10,'bohnenpost','m0010_hosts','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(11,'bohnenpost','m0011_phrases','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(12,'bohnenpost','m0012_dead_links','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(13,'bohnenpost','m0013_news','2026-11-20 12:00:00+00:00');
INSERT INTO "_sqlite_migrations" VALUES(14,'bohnenpost','m0014_refused_bytes','2026-11-20 12:00:00+00:00');
CREATE TABLE attempt (key TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE beat (
            at INTEGER PRIMARY KEY
        ) STRICT;
CREATE TABLE dead_link (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            hash TEXT NOT NULL UNIQUE,
            game TEXT NOT NULL REFERENCES game (id),
            seat TEXT NOT NULL,
            who TEXT NOT NULL,
            why TEXT NOT NULL,
            at INTEGER NOT NULL,
            text TEXT NOT NULL
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
            error TEXT, seats INTEGER CHECK (seats > 0), listed INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)), aborted INTEGER NOT NULL DEFAULT 0 CHECK (aborted IN (0, 1)), archived_at INTEGER, reviewed TEXT, reviewed_at INTEGER, level INTEGER NOT NULL DEFAULT 1 CHECK (level IN (1, 2)), links_given INTEGER NOT NULL DEFAULT 0, verdict TEXT, hindsight TEXT CHECK (hindsight IS NULL OR json_valid(hindsight)), next_deadline INTEGER, after_early TEXT NOT NULL DEFAULT 'next' CHECK (after_early IN ('same', 'next')), description TEXT NOT NULL DEFAULT '',
            CHECK ((status = 'paused') = (paused_at IS NOT NULL)),
            CHECK (deadline IS NULL OR status IN ('running', 'paused', 'held'))
        ) STRICT;
INSERT INTO "game" VALUES('ackerwinde','postal','Ackerwinde','Uli','uli@example.org','de','{"rounds":10,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'paused','c32a93705d9121a2d10c8e7ea3dfdc830e9606f4aa67b48fdc1d1690774ff065','{"format":"bohnenpost-setup/2","robots":[],"unconfirmed":["Anna","Bert","Cem"],"algorithm":"bohn-shuffle-1","level":2,"variant":"postal","game":"ackerwinde","seats":["Anna","Bert","Cem"],"house_rules":{"rounds":10,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"deck":[["princess",6],["mung",8],["broad",10],["magic",12],["climbing",14],["bush",16],["snake",16],["snap",18]]}',2,1795374000,1795978800,1795978800,2,1795374000,1795176000,0,NULL,NULL,NULL,1,0,NULL,'1 0.1.0',1795374000,2,0,NULL,NULL,NULL,'same','');
INSERT INTO "game" VALUES('brache','postal','Brache','Uli','uli@example.org','de','{"rounds":2,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'finished','aa0e4f1a26e23c0f20bf9872b82fc31c7fb7d2e10ed143424182fcb88e1acc26','{"format":"bohnenpost-setup/2","robots":[],"unconfirmed":["Anna","Bert","Cem"],"algorithm":"bohn-shuffle-1","level":2,"variant":"postal","game":"brache","seats":["Anna","Bert","Cem"],"house_rules":{"rounds":2,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"deck":[["princess",6],["mung",8],["broad",10],["magic",12],["climbing",14],["bush",16],["snake",16],["snap",18]]}',3,1795374000,1795978800,NULL,1,NULL,1795176000,0,NULL,NULL,NULL,1,0,NULL,'1 0.1.0',1795374000,2,0,'PROVEN','{"best":5,"plan":["1>A 3>B 5>A 6>C 7>A 8>C","5>B 6>C HC 7>C HB 8>B"],"robot":4,"seats":{"Anna":{"talers":0,"worst_round":1,"lost":2,"rounds":[[2,0],[1,0]]},"Bert":{"talers":0,"worst_round":1,"lost":2,"rounds":[[2,0],[1,0]]},"Cem":{"talers":0,"worst_round":1,"lost":2,"rounds":[[2,0],[1,0]]}}}',NULL,'same','');
INSERT INTO "game" VALUES('offen','postal','Offen','Uli','uli@example.org','de','{"rounds":10,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"}','{"weekdays":[6],"at":"20:00:00","zone":"Europe/Berlin","weeks":1,"since":"2026-11-16","left_out":[],"shortest":0}',NULL,0,'open','0aa7f375ec033257d91b4782a8ea3db7bed737b50ae1e6af4d94faabe41fec64',NULL,0,NULL,NULL,NULL,0,NULL,1795176000,0,NULL,NULL,NULL,1,0,NULL,NULL,NULL,2,0,NULL,NULL,NULL,'same','');
CREATE TABLE game_gm (
            game TEXT NOT NULL REFERENCES game (id),
            address TEXT NOT NULL,
            PRIMARY KEY (game, address)
        ) STRICT;
INSERT INTO "game_gm" VALUES('ackerwinde','uli@example.org');
INSERT INTO "game_gm" VALUES('brache','uli@example.org');
INSERT INTO "game_gm" VALUES('offen','uli@example.org');
CREATE TABLE given_up (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL REFERENCES game (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE gm (
            address TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            password TEXT,
            link_number INTEGER NOT NULL DEFAULT 1,
            link_at INTEGER NOT NULL
        , mails TEXT NOT NULL DEFAULT '[]', host INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "gm" VALUES('uli@example.org','Uli','en',NULL,2,1795176000,'[]',0);
CREATE TABLE joining (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            game TEXT NOT NULL REFERENCES game (id),
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            confirmed_at INTEGER
        , phrase TEXT NOT NULL DEFAULT '', seat INTEGER, link_number INTEGER) STRICT;
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
INSERT INTO "mail" VALUES(1,'ackerwinde',0,1,'start',0,0,'anna@ackerwinde.example.org','de',1,'<start.0.ackerwinde.b2a77852ab9ab1e0@localhost>',1795176000,1795176000,NULL,'bb1492aec53402a6b07047a1c496a964f1a0b3219e0f3b5306f27cf590a47fd7',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(2,'ackerwinde',0,2,'start',0,0,'bert@ackerwinde.example.org','en',1,'<start.0.ackerwinde.d3abdb00e4b9589a@localhost>',1795176000,1795176000,NULL,'8f2bae4fa14068ffe594b55b2f7812a9bfdd65be29db7e2b8e17e6f73d9cf12a',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(3,'ackerwinde',0,3,'start',0,0,'cem@ackerwinde.example.org','de',1,'<start.0.ackerwinde.a745d7f3b165e8f4@localhost>',1795176000,1795176000,NULL,'67ca5d813dd28af78a056a7112f129bed32baae3997a71b69d4c9c2688c92547',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(4,'brache',0,1,'start',0,0,'anna@brache.example.org','de',1,'<start.0.brache.b554f66f7c684ebf@localhost>',1795176000,1795176000,NULL,'2cf6e8edac95431019b5e8b9e7a98c30a31b90780daeff9d64569300444bf3b8',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(5,'brache',0,2,'start',0,0,'bert@brache.example.org','en',1,'<start.0.brache.53a5ea44137d98bd@localhost>',1795176000,1795176000,NULL,'776844a4cc936cd37e0a148dfc2fceedfe0cd521ce24e1e39aa9fc6d7094d8cd',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(6,'brache',0,3,'start',0,0,'cem@brache.example.org','de',1,'<start.0.brache.21e4e10ba1694044@localhost>',1795176000,1795176000,NULL,'8054613e688b0ddc807cbf12ab2a7b102386a8af6bb87ad2d44288601dd69b7b',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(7,'ackerwinde',1,1,'receipt',1,0,'anna@ackerwinde.example.org','de',1,'<receipt.1.ackerwinde.97cf98856b5237aa@localhost>',1795176000,1795176000,NULL,'2998c76ad5add51a44599108b1a0627f6920ce44022405e409899b8e2ca15115',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(8,'ackerwinde',1,2,'receipt',1,0,'bert@ackerwinde.example.org','en',1,'<receipt.1.ackerwinde.02d09f079e2194a1@localhost>',1795176000,1795176000,NULL,'a490e4207d89b7d710051cdc826c4fe4dce34cc04574585816e319e8a34cf2b7',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(9,'brache',1,1,'receipt',1,0,'anna@brache.example.org','de',1,'<receipt.1.brache.c6d45debe753ec69@localhost>',1795176000,1795176000,NULL,'aa44062b80e4a9c65e3c337f57ecd35355ab882d603e5c335e40fc7994bbfd71',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(10,'brache',1,2,'receipt',1,0,'bert@brache.example.org','en',1,'<receipt.1.brache.b387b391bb837e38@localhost>',1795176000,1795176000,NULL,'05b65af38bdc23b55a077fdad7106fb864e28252ccfed6a4330b112a6ec8dcdb',1,NULL,1795176900,1795176000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(11,'ackerwinde',1,3,'reminder',21600,1795374000,'cem@ackerwinde.example.org','de',1,'<reminder.1.ackerwinde.7db8539553589c6e@localhost>',1795352400,1795352400,NULL,'24d69b0019031d811ef14ae5fda920da2f0169081aa4e73a9d595fada45b5ec5',1,NULL,1795353300,1795352400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(12,'brache',1,3,'reminder',21600,1795374000,'cem@brache.example.org','de',1,'<reminder.1.brache.549c1f3992d4a26b@localhost>',1795352400,1795352400,NULL,'e6af165ed43cacdfa6137ba9e501a8bd6e32a641ec79ba1865bdbe3f656de3ad',1,NULL,1795353300,1795352400,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(13,'ackerwinde',1,1,'report',0,0,'anna@ackerwinde.example.org','de',1,'<report.1.ackerwinde.e781240119a78f3f@localhost>',1795374000,1795374000,NULL,'cab2821c8387900e274f4e06923e83f3b7d3cc9a4e562c9d3cc4f6f16a212e8d',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(14,'ackerwinde',1,2,'report',0,0,'bert@ackerwinde.example.org','en',1,'<report.1.ackerwinde.31b65c86c40fb82e@localhost>',1795374000,1795374000,NULL,'a531ac45cef0ae7fee138bad2e2445110ea842c7abd94437a43d1db260ee5462',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(15,'ackerwinde',1,3,'report',0,0,'cem@ackerwinde.example.org','de',1,'<report.1.ackerwinde.6e101a3d4a6ceb51@localhost>',1795374000,1795374000,NULL,'f37eb55188ef9141c3a096492cf2129904d2669549b457e1c752fb90d6429152',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(16,'brache',1,1,'report',0,0,'anna@brache.example.org','de',1,'<report.1.brache.99e115cc6269460d@localhost>',1795374000,1795374000,NULL,'00c854573d011b94972db4492ea0539f9a4199e85a7e26f7316736c5e37b5d32',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(17,'brache',1,2,'report',0,0,'bert@brache.example.org','en',1,'<report.1.brache.226d5403ed7f60be@localhost>',1795374000,1795374000,NULL,'e7e9c6a5a461a078e3a1fe452bfa7dacc8eb95ea06daf56cd8d58606acb21681',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(18,'brache',1,3,'report',0,0,'cem@brache.example.org','de',1,'<report.1.brache.9a72d8a4256df5d5@localhost>',1795374000,1795374000,NULL,'93dd29b09730d30d55006f30a17276596a32a4c7062e64919bdcca9b695dd3e1',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(19,'ackerwinde',2,1,'news',1,0,'anna@ackerwinde.example.org','de',1,'<news.2.ackerwinde.901570dd78cb2271@localhost>',1795374000,1795374000,NULL,'51ea3e6b84fd0b82c96ceba9cb8c17554005dc0d0774a8d7730d1dea98ed96d9',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(20,'ackerwinde',2,2,'news',1,0,'bert@ackerwinde.example.org','en',1,'<news.2.ackerwinde.64700c77e983ef22@localhost>',1795374000,1795374000,NULL,'57ba0306d301b2e171b02fe036e38a08e0f9661d7c0ac859149a721c347e2bc4',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(21,'ackerwinde',2,3,'news',1,0,'cem@ackerwinde.example.org','de',1,'<news.2.ackerwinde.e49cbc69a731d521@localhost>',1795374000,1795374000,NULL,'1fb9deaeca35ba3c4f51f9cb8f1ac9786f04f39a9b0bdd89548a5a7be68cf9aa',1,NULL,1795374900,1795374000,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(22,'brache',2,1,'final',0,0,'anna@brache.example.org','de',1,'<final.2.brache.ea10611a4b34fb5f@localhost>',1795978800,1795978800,NULL,'ac8158b8530f6dbb9553fd0482d9f15a9ca3f7d0b9e80a72aab50dcfb1a5f038',1,NULL,1795979700,1795978800,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(23,'brache',2,2,'final',0,0,'bert@brache.example.org','en',1,'<final.2.brache.1c707ab6506cf60a@localhost>',1795978800,1795978800,NULL,'c6c0c3eb3f0f7c574bdc850302240c4f9764817c7b0b880e53c16dbedc5f4afd',1,NULL,1795979700,1795978800,NULL,NULL,NULL);
INSERT INTO "mail" VALUES(24,'brache',2,3,'final',0,0,'cem@brache.example.org','de',1,'<final.2.brache.e424bde25db2bfc9@localhost>',1795978800,1795978800,NULL,'862c408c1a5d1b7efcab46ddbba92dec83df7281f721126276d443fe437f7fdd',1,NULL,1795979700,1795978800,NULL,NULL,NULL);
CREATE TABLE meta (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT;
INSERT INTO "meta" VALUES('link_key_check','a086bb7c4c0cf544c6793caeaa036da34d60d5562bede6a7780e13f2c0c1eaa5');
INSERT INTO "meta" VALUES('clock','1795978800 1795978800');
INSERT INTO "meta" VALUES('clock_waits','0');
INSERT INTO "meta" VALUES('boot_id','a763d4eb-6fe9-4ec4-81d1-3e0adde307f4');
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
        , who TEXT, changed TEXT CHECK (changed IS NULL OR json_valid(changed))) STRICT;
INSERT INTO "note" VALUES(1,'ackerwinde',2,'paused',1795374000,'a holiday',NULL,1795978800,1795892400,NULL,NULL);
CREATE TABLE press (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            text TEXT NOT NULL,
            to_gm TEXT NOT NULL,
            at INTEGER NOT NULL, link_number INTEGER NOT NULL DEFAULT 0, read_at INTEGER,
            PRIMARY KEY (game, round, seat),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT;
INSERT INTO "press" VALUES('ackerwinde',1,1,'Press of Anna <b>','a word',1795176000,1,NULL);
INSERT INTO "press" VALUES('ackerwinde',1,2,'Press of Bert <b>','a word',1795176000,1,NULL);
INSERT INTO "press" VALUES('brache',1,1,'Press of Anna <b>','a word',1795176000,1,NULL);
INSERT INTO "press" VALUES('brache',1,2,'Press of Bert <b>','a word',1795176000,1,NULL);
CREATE TABLE revision (
            game TEXT NOT NULL,
            round INTEGER NOT NULL,
            seat INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number > 0),
            orders TEXT NOT NULL CHECK (orders <> ''),
            at INTEGER NOT NULL, salt BLOB CHECK (length(salt) = 16), void_at INTEGER, source TEXT, link_number INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (game, round, seat, number),
            FOREIGN KEY (game, seat) REFERENCES seat (game, number)
        ) STRICT;
INSERT INTO "revision" VALUES('ackerwinde',1,1,1,'1>A',1795176000,X'65C7DF7043958A926270DCA4BF17F29C',NULL,'seat',1);
INSERT INTO "revision" VALUES('ackerwinde',1,2,1,'pass',1795176000,X'65C7DF7043958A926270DCA4BF17F29C',NULL,'seat',1);
INSERT INTO "revision" VALUES('brache',1,1,1,'1>A',1795176000,X'65C7DF7043958A926270DCA4BF17F29C',NULL,'seat',1);
INSERT INTO "revision" VALUES('brache',1,2,1,'pass',1795176000,X'65C7DF7043958A926270DCA4BF17F29C',NULL,'seat',1);
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
INSERT INTO "round" VALUES('ackerwinde',0,NULL,1795176000,'{}','[["revealed",1,["mung","snap","broad","snake","snap","snap","snake","magic"]]]','{"rules":{"rounds":10,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":1,"row":[["mung",1],["snap",1],["broad",1],["snake",1],["snap",1],["snap",1],["snake",1],["magic",1]],"discard":[],"draw_pile":92,"seats":["Anna","Bert","Cem"],"farms":[{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{}','95a3047477a423a09e0226b6a9a11b4656063d1074589ae3aca09a7157333c63');
INSERT INTO "round" VALUES('brache',0,NULL,1795176000,'{}','[["revealed",1,["snap","magic","broad","princess","snap","mung","snap","mung"]]]','{"rules":{"rounds":2,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":1,"row":[["snap",1],["magic",1],["broad",1],["princess",1],["snap",1],["mung",1],["snap",1],["mung",1]],"discard":[],"draw_pile":92,"seats":["Anna","Bert","Cem"],"farms":[{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{}','204df5302c2014fded9bdf60f452262f66deb377933bb7e12a0baf8998c34c23');
INSERT INTO "round" VALUES('ackerwinde',1,1795374000,1795374000,'{"Anna":"1>A","Bert":"pass","Cem":null}','[["planted","Anna",1,"mung",1,1,"A",1],["absent","Cem"],["discarded",["snap","broad","snake","snap","snap","snake","magic"]],["revealed",2,["mung","snake","broad","snake","bush","magic","broad","snake"]],["cascaded","magic",6],["cascaded","snake",2]]','{"rules":{"rounds":10,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":2,"row":[["mung",1],["snake",2],["broad",1],["snake",1],["bush",1],["magic",2],["broad",1],["snake",1]],"discard":["snap","snap","snake","broad","snap"],"draw_pile":84,"seats":["Anna","Bert","Cem"],"farms":[{"fields":[["mung",1],null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{"Anna":{"revision":1,"salt":"65c7df7043958a926270dca4bf17f29c","receipt":"fc018d6a14ba55403ff63bf34f18c1c141c2ef2e1bc19a0da810ecc00de22b31"},"Bert":{"revision":1,"salt":"65c7df7043958a926270dca4bf17f29c","receipt":"e9d995bd8d4712673d5db6f8010d5bb7153f5744f1eabfa3fa1b5436490e6af1"},"Cem":null}','58affb81f4be502c2470dbe49860afdee9c9b3615a2d8de681a3328492f942b4');
INSERT INTO "round" VALUES('brache',1,1795374000,1795374000,'{"Anna":"1>A","Bert":"pass","Cem":null}','[["planted","Anna",1,"snap",1,1,"A",1],["absent","Cem"],["discarded",["magic","broad","princess","snap","mung","snap","mung"]],["revealed",2,["bush","snake","snake","snake","broad","mung","climbing","bush"]],["cascaded","mung",6]]','{"rules":{"rounds":2,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":2,"row":[["bush",1],["snake",1],["snake",1],["snake",1],["broad",1],["mung",2],["climbing",1],["bush",1]],"discard":["snap","mung","snap","princess","broad","magic"],"draw_pile":84,"seats":["Anna","Bert","Cem"],"farms":[{"fields":[["snap",1],null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{"Anna":{"revision":1,"salt":"65c7df7043958a926270dca4bf17f29c","receipt":"b4196eaa8938872e2bdbe8eadd7ddfb936dc6842d378b4ff65b865e72ec75c7f"},"Bert":{"revision":1,"salt":"65c7df7043958a926270dca4bf17f29c","receipt":"4175adb73005eb43b15dc5f7a9b6a77213f667061b442c5b1f15f7e3bd4274d8"},"Cem":null}','6a9508d0e0130764d9528811b506a035ba2bc9cf10cf069b9fb778a838b32353');
INSERT INTO "round" VALUES('brache',2,1795978800,1795978800,'{"Anna":null,"Bert":null,"Cem":null}','[["absent","Anna"],["absent","Bert"],["absent","Cem"],["discarded",["bush","snake","snake","snake","broad","mung","mung","climbing","bush"]],["final_harvest","Anna","A","snap",1,0],["ranked","Anna",1,0],["ranked","Bert",1,0],["ranked","Cem",1,0]]','{"rules":{"rounds":2,"discard_order":"ascending","nmr_empty":false,"nmr_harvest":"eager"},"round":3,"row":[],"discard":["bush","climbing","mung","mung","broad","snake","snake","snake","bush","snap","mung","snap","princess","broad","magic"],"draw_pile":84,"seats":["Anna","Bert","Cem"],"farms":[{"fields":[["snap",1],null,null],"talers":0},{"fields":[null,null,null],"talers":0},{"fields":[null,null,null],"talers":0}]}',1,'{"Anna":null,"Bert":null,"Cem":null}','26abdeaa9d65a08b9962ae4be137f31a785d73517a07294e78cfe24a2dfc2c80');
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
            removed_at INTEGER, taken_at INTEGER, phrase TEXT NOT NULL DEFAULT '', news INTEGER NOT NULL DEFAULT 1 CHECK (news IN (0, 1)),
            PRIMARY KEY (game, number),
            UNIQUE (game, name),
            CHECK (robot = 1 OR address IS NOT NULL OR removed_at IS NOT NULL)
        ) STRICT;
INSERT INTO "seat" VALUES('ackerwinde',1,'Anna',NULL,'anna@ackerwinde.example.org','de',0,1,'9e5a14ce2bf13b8e2a49e011b713c60db09b7d29a7a7c2ae9896bbc9bbdcf8ff','6881ec511716939db36528c65338ccd0f2e013890eb7de256d96eb3330a65403','6816a0714c43f17c9e4f87cdc10da91d9e51a316fb0c0a357697f687c2f3ae89',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('ackerwinde',2,'Bert',NULL,'bert@ackerwinde.example.org','en',0,1,'7a3798e6a592cf802d50ec1d2fa8dcd628d894a664944670ff3a9d58da0c61ff','c28137f08994124ce5a878db4c6da3a8bbc6992e7386a89968ed9d2d0f994be2','d28865c4061c8d7dd1b32a6ebbd100fbf26863780ec121f989fa879101eb5271',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('ackerwinde',3,'Cem',NULL,'cem@ackerwinde.example.org','de',0,1,'445a8807afb9256a1be72d17b88346fd05dcdfd0d3958a05ada8cc800b2c4ad7','44b53c2ba3123d2e0730da8576c7440f6ab10f56a3a2407044cfac346338c3a2','8c38c9a2e93d0aaab130a93bd61c96058b2bceb61648d461a7ee75fa49dc73ad',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('brache',1,'Anna',NULL,'anna@brache.example.org','de',0,1,'d188c875f6260252b57454f493006626d7c7ba74db322eb93f280612726022e4','a8e5721f32016bd44c2c2a657fa08392364be94ac2a89632fe9fbefd144a3932','6e244c6f1217c084eea6c4545e48d184e5eb7f562b34001d958d0a17e80dba4a',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('brache',2,'Bert',NULL,'bert@brache.example.org','en',0,1,'7742bb4c4c4befb64edac0eab4ecfee2fc1e101e422a6713a109bf08c1f84f18','27dc03a9babe8c8a4c58d61a12e3baa9f82ae88e5f508128796f6672f0081397','bbbfc7a7560d71e6253dfb323ef3a3c917e5cfbfc87a0981d1a1b2322d5fe5c9',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('brache',3,'Cem',NULL,'cem@brache.example.org','de',0,1,'9c05b3581972de5e85a3e565d179de540dc0829c8b658771a41456f9d0aabbe5','5c5f375dcf57713ef02a8697eb222ead44bbb88441c47d2825ee1fb4d092a97a','0679cf996250f566bfc3a237874a736e212fb3eebc8e3e6d78bfb6f4e6408fb3',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('offen',1,'Anna',NULL,'anna@offen.example.org','de',0,1,'787440e891d760d0b44fbe5ef718d6bb0b280feed6543da3d2844e3f62435517','05b15e454b8a828041d150e51919dd2e97980dc42c72534c2f8780caa4c0d408','f0419815cdde767f7db2535c5793947081a3ef863a7e480c852c43438268c4a6',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('offen',2,'Bert',NULL,'bert@offen.example.org','en',0,1,'3ebea9e5f0ae254033e8fcc267aa0366b7b43253a6ce523ae7faf3a5c9de39a7','b1f31f7f56ac6a680b1d287bb236cec8a448fba7632d6507d93fe0e000781ca5','2c3318eb50a52bb3b866076904b846f9b29afb09bb87a03bc80f1e91d627e87d',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
INSERT INTO "seat" VALUES('offen',3,'Cem',NULL,'cem@offen.example.org','de',0,1,'546cf595537931a2ccae615caef3d0a5bfea4fbcac60cbd4bcbf65273506550a','e049f51667cbdec8de1a3183fb2895547805defa4aafa4cdd26088f0ced0eaaf','fda3ae70426f1967befd787210d8fb4237990ecac8cf5e4299ef424d5c090672',1,1,'[172800,21600]',NULL,NULL,NULL,NULL,NULL,NULL,'',1);
CREATE TABLE secret (
            game TEXT PRIMARY KEY REFERENCES game (id),
            secret BLOB NOT NULL CHECK (length(secret) = 32)
        ) STRICT;
INSERT INTO "secret" VALUES('ackerwinde',X'03D2388E1BD635129F34E8C5E1A37705C4711E6089D718DDA57A560EC5887BEE');
INSERT INTO "secret" VALUES('brache',X'03D2388E1BD635129F34E8C5E1A37705C4711E6089D718DDA57A560EC5887BEE');
INSERT INTO "secret" VALUES('offen',X'03D2388E1BD635129F34E8C5E1A37705C4711E6089D718DDA57A560EC5887BEE');
CREATE TABLE session (
            hash TEXT PRIMARY KEY,
            address TEXT NOT NULL REFERENCES gm (address),
            at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE "standby" (
            gm TEXT NOT NULL DEFAULT '',
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            language TEXT NOT NULL CHECK (language IN ('de', 'en')),
            at INTEGER NOT NULL,
            PRIMARY KEY (gm, address)
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
