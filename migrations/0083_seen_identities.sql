-- Who had been taken out of `people:` before the names of the configuration were kept would never lose what it gave. No group gives a
-- built-in role, so whoever has one by an identity has it by the configuration.
update identities i set configured = true from people p
where p.id = i.person and i.gives_roles and p.roles && array['viewer', 'operator', 'approver', 'admin'];

-- Roles of named ones may be of either: sessions end once, and tokens wait until their owner's provider has named them again.
update sessions s set ended_at = clock() from identities i
where i.person = s.person and i.gives_roles and s.ended_at is null;
update identities set seen_at = 'epoch';
