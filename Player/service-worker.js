// Classic script (no imports): caches the shell listed in player.json, answers media from story caches, with ranges (206).
