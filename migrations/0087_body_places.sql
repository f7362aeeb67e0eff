-- As what a large body was stored: the object or file that people look for when it is gone. Null for letters of older versions.
alter table bodies add column body_place text collate "C";
