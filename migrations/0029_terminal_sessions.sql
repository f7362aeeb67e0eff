-- A terminal's session ends with the one that let it in: else who is let in again and again would never have to sign in.
alter table terminal_codes add column session_until timestamptz;
