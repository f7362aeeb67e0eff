import { expect, it } from "vitest";
import { claimAt, identityOf } from "./claims.ts";

const names = { rolesClaim: "realm_access.roles", nameClaim: "preferred_username" };
const of = (idToken: object, userinfo: object) =>
  identityOf({ idToken: { iss: "i", sub: "s", ...idToken }, userinfo: { ...userinfo } }, names).groups;

it("finds at the userinfo endpoint what is only half in the ID token", () => {
  expect(of({ realm_access: {} }, { realm_access: { roles: ["ops"] } })).toEqual(["ops"]);
});

it("believes the signed token before the userinfo endpoint, however the claim is written there", () => {
  const signed = { realm_access: { roles: ["viewers"] } };
  expect(of(signed, { realm_access: { roles: ["admins"] } })).toEqual(["viewers"]);
  expect(of(signed, { "realm_access.roles": ["admins"] })).toEqual(["viewers"]);
});

it("takes nothing from what every object has", () => {
  expect(claimAt({}, "constructor")).toBeUndefined();
  expect(claimAt({ realm_access: {} }, "realm_access.constructor.name")).toBeUndefined();
});
