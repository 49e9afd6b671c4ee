-- Directories: how often passwords may be guessed, for all nodes. See purser_store::guesses. ------

CREATE TABLE sign_in_guesses (
    slot {int} NOT NULL PRIMARY KEY,            -- of the hashes of names, known or not
    full_at {int} NOT NULL                      -- when all guesses are there again
) {keyed};

-- Browsers and networks from which somebody has signed in under a name.
CREATE TABLE sign_in_sources (
    hash {bytes} NOT NULL PRIMARY KEY,          -- SHA-256 of the source and the name
    wrong {int} NOT NULL,                       -- guesses since the last right one
    guessed_at {int} NOT NULL,
    used_at {int} NOT NULL                      -- when somebody last signed in from there
) {keyed};
