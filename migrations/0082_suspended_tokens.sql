-- Tokens of somebody who signs in elsewhere are suspended when nobody has signed in as them for as long as the policy says. When that was
-- said in advance; said again after they were seen.
alter table people add column suspension_said_at timestamptz;
