"""What browsers and search engines ask every site for: its icon, its robots.txt, its manifest, its pages without a network."""
