-- A replay whose broker does not answer waits for it, whoever leads it by then, and for a limited time.
alter table replays add column waiting_since timestamptz, add column waiting_for text;
