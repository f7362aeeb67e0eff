-- Sign-ins whose browser is at the identity provider. The key is a hash of what the provider brings back and of what that browser
-- alone has, so nothing here can be used by who reads it without both.
create table pending_sign_ins (
  digest bytea primary key,
  nonce text not null,
  verifier text not null,
  prompt text,
  -- The page that was asked for.
  leads_to text not null,
  -- Where the browser is: one address may have some under way, not all.
  address text collate "C" not null,
  expires_at timestamptz not null
);

create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);
create index pending_sign_ins_by_address on pending_sign_ins (address);
