import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { OfficeError } from "../domain/errors.ts";
import { mayPerform } from "../office/operations/operation.ts";
import type { Reception } from "../office/people/reception.ts";
import { credentialsOf, requireOwnPage } from "./authenticate.ts";
import { endpointTable } from "./endpoints.ts";
import type { PublicAddress } from "./public-address.ts";

export interface SignInParts {
  readonly reception: Reception;
  readonly address: PublicAddress;
  readonly cookieName: string;
}

const signInBody = z.strictObject({ name: z.string(), password: z.string() });
const enrolmentBody = z.strictObject({
  code: z.string(),
  name: z.string().nullable().default(null),
  password: z.string(),
});

/** What the browser gets a session by. These are open to everybody, so each asks for its own page. */
export function addSignIn(app: FastifyInstance, parts: SignInParts): void {
  const { reception, address, cookieName } = parts;
  const base = `${address.basePath}/auth`;
  const sessionOf = (request: FastifyRequest) => credentialsOf(request.headers, cookieName).session;

  app.get(`${base}/session`, async (request) => {
    const id = sessionOf(request);
    const known = id === null ? null : await reception.bySession(id);
    if (known === null) return { actor: null, expiresAt: null, may: [] };
    const may = endpointTable().filter(({ operation }) => mayPerform(known.actor, operation));
    return { ...known, may: may.map(({ name }) => name) };
  });

  app.post(`${base}/sign-in`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const { name, password } = bodyOf(signInBody, request.body);
    const id = await reception.signIn({ name, password, address: request.ip });
    setCookie(reply, parts, id);
    return { name };
  });

  app.post(`${base}/sign-out`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const id = sessionOf(request);
    if (id !== null) await reception.signOut(id);
    setCookie(reply, parts, null);
    return {};
  });

  app.post(`${base}/setup`, async (request, reply) => {
    requireOwnPage(request.headers, address, false);
    const enrolment = bodyOf(enrolmentBody, request.body);
    const name = await reception.enrol(enrolment);
    const id = await reception.signIn({ name, password: enrolment.password, address: request.ip });
    setCookie(reply, parts, id);
    return { name };
  });
}

function bodyOf<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new OfficeError("INVALID_REQUEST", `\`${issue?.path.join(".") || "body"}\` cannot be so: ${issue?.message}.`);
}

/** Lax, so that a link from a pager finds people signed in. Never readable by a script. */
function setCookie(reply: FastifyReply, { address, cookieName }: SignInParts, id: string | null): void {
  const parts = [
    `${cookieName}=${id ?? ""}`,
    `Path=${address.basePath || "/"}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(address.isSecure ? ["Secure"] : []),
    ...(id === null ? ["Max-Age=0"] : []),
  ];
  void reply.header("set-cookie", parts.join("; "));
}
