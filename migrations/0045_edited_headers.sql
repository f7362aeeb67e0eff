-- What an edit puts in the place of headers, beside the body: [{ "name", "value" }], all that is other than what the letter came
-- with; a value of null goes without that header. Null: its headers go as they came.
alter table edits add column headers jsonb;
