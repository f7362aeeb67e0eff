import type { Actor } from "../../src/domain/actor.ts";
import { isOfficeError } from "../../src/domain/errors.ts";
import type { Ledger } from "../../src/ledger/ledger.ts";
import type { Office } from "../../src/office/operations/operation.ts";
import {
  addPersonByName,
  changePersonByName,
  joinIdentity,
  renamePersonByName,
} from "../../src/office/operations/people.ts";
import { applyPeople } from "../../src/office/people/apply-people.ts";
import { digestOf } from "../../src/office/people/digest.ts";
import { reception } from "../../src/office/people/reception.ts";
import { systemHost } from "../../src/system/host.ts";
import { newSecret } from "../../src/system/secrets.ts";
import type { ArrivalWorld } from "./play-arrivals.ts";
import { signedInThere } from "./signed-in-there.ts";

const issuer = "https://idp.example";
const ops = { name: "ops", is: "operator", queues: ["*"], reveals: false } as const;
const root: Actor = { id: "root", kind: "human", roles: ["admin"] };
const password = "correct horse battery";

/** The office's own code over a database, with nobody in it. */
export async function databaseWorld(ledger: Ledger): Promise<ArrivalWorld> {
  const { database, at } = ledger;
  const { clock } = systemHost;
  for (const table of [
    "sessions",
    "tokens",
    "invitations",
    "identities",
    "former_names",
    "people",
    "configured_people",
  ])
    await database.query(`delete from ${at}.${table}`, []);
  const parts = { ledger, clock, newSecret, roles: [ops], passwordCost: { N: 16, r: 1, p: 1 } };
  const desk = reception(parts);
  const code = await desk.firstRun();
  await desk.enrol({ code: code ?? "", name: root.id, password });
  const office = { ledger, clock, newSecret, roles: [ops] } as unknown as Office;
  const sessions = new Map<string, string>();
  const begun = (session: string) => sessions.set(Buffer.from(digestOf(session)).toString("hex"), session) && session;
  return {
    configure: async (people) => {
      await applyPeople(
        { ledger, clock },
        people.map(({ sub, ...one }) => ({ ...one, issuer, subject: sub })),
      );
    },
    arrive: ({ sub, name, groups }) =>
      orNull(async () => begun(await desk.signInBy(signedInThere({ issuer, subject: sub, name, groups }), "::1"))),
    invite: (id, roles) =>
      orNull(async () => {
        const added = await addPersonByName.run(office, { id, roles: [...roles], kind: "human" }, root);
        await desk.enrol({ code: added.code ?? "", name: null, password });
        return begun(await desk.signIn({ name: id, password, address: `${sessions.size}` }));
      }),
    change: (id, roles) => isDone(() => changePersonByName.run(office, { id, roles: [...roles], invite: false }, root)),
    join: (id, sub) => isDone(() => joinIdentity.run(office, { id, issuer, subject: sub }, root)),
    rename: (id, to) => isDone(() => renamePersonByName.run(office, { id, to }, root)),
    async look() {
      const { rows } = await database.query<{ digest: string; person: string; roles: readonly string[] }>(
        `select encode(s.digest, 'hex') as digest, s.person, p.roles from ${at}.sessions s join ${at}.people p on p.id = s.person
         where s.ended_at is null and p.disabled_at is null`,
        [],
      );
      const { rows: ways } = await database.query<{ key: string; person: string }>(
        `select 'at issuer ' || subject as key, person from ${at}.identities
         union all select 'by password ' || id, id from ${at}.people where password is not null and id <> 'root'`,
        [],
      );
      return {
        sessions: new Map(rows.map(({ digest, person, roles }) => [sessions.get(digest) ?? "", { person, roles }])),
        accounts: new Map(ways.map(({ key, person }) => [key, person])),
      };
    },
  };
}

async function orNull<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (isOfficeError(error)) return null;
    throw error;
  }
}

async function isDone(act: () => Promise<unknown>): Promise<boolean> {
  return (await orNull(async () => (await act()) !== undefined)) ?? false;
}
