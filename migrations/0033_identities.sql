-- Who somebody is at an issuer of identities (OpenID Connect): its name and theirs there, never an address of theirs.
create table identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  person text collate "C" not null references people,
  -- At each sign-in the person has the roles that the issuer, or the configuration, gives. False where an admin joined it to
  -- somebody who has roles of their own.
  gives_roles boolean not null,
  made_at timestamptz not null default clock(),
  primary key (issuer, subject)
);

create index identities_by_person on identities (person);
