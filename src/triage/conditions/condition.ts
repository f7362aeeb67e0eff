import {
  type ASTNode,
  TypeError as CelTypeError,
  Environment,
  EvaluationError,
  ParseError,
} from "@marcbachmann/cel-js";
import { nearestName } from "../../domain/options.ts";
import { once } from "../once.ts";
import { conditionNames, conditionValues, type LetterFacts, type PlanFacts } from "./letter-facts.ts";

/** A condition in CEL, checked and ready. */
export interface Condition {
  readonly text: string;
  /** False also where it cannot be worked out, such as for a field that the body does not have. */
  holds(facts: LetterFacts, plan?: PlanFacts): boolean;
}

/** What is wrong with a condition, as the end of "when …". */
export class ConditionProblem extends Error {
  override readonly name = "ConditionProblem";
}

/** In characters. */
const longestCondition = 2_000;
const limits = { maxAstNodes: 400, maxDepth: 24, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 8 };

/**
 * Compiles a condition, or throws a `ConditionProblem` that says what is wrong and where.
 *
 * `about`: conditions of rules and splits see the letter; those of policies also the plan and who asks.
 */
export function compileCondition(text: string, about: "letter" | "plan" = "letter"): Condition {
  if (text.length > longestCondition) throw new ConditionProblem(`is longer than ${longestCondition} characters`);
  const program = parse(text, about === "plan" ? planEnvironment() : letterEnvironment());
  refuseDangers(program.ast, 0);
  const { valid, type, error } = program.check();
  if (!valid) throw problemOf(error, text);
  if (type !== "bool" && type !== "dyn") throw new ConditionProblem(`must be true or false, but is ${type}`);
  return { text, holds: (facts, plan) => evaluate(program, conditionValues(facts, plan)) };
}

const letterEnvironment = once(() =>
  new Environment({ unlistedVariablesAreDyn: false, limits })
    .registerVariable("letter", { schema: conditionNames.letter })
    .registerVariable("error", { schema: conditionNames.error })
    .registerVariable("consumer", { schema: conditionNames.consumer })
    .registerVariable("header", "map<string, string>")
    .registerVariable("body", "dyn"),
);

const planEnvironment = once(() =>
  letterEnvironment()
    .clone()
    .registerVariable("plan", { schema: { n: "int" } })
    .registerVariable("actor", { schema: { id: "string", roles: "list<string>", kind: "string" } }),
);

function parse(text: string, environment: Environment) {
  try {
    return environment.parse(text);
  } catch (error) {
    throw problemOf(error, text);
  }
}

function evaluate(program: (values: Record<string, unknown>) => unknown, values: Record<string, unknown>): boolean {
  try {
    return program(values) === true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

function problemOf(error: unknown, text: string): ConditionProblem {
  if (!(error instanceof ParseError || error instanceof CelTypeError)) throw error;
  const at = error.range?.start;
  const where = at === undefined ? "" : ` at character ${at + 1}`;
  return new ConditionProblem(`${said(error.summary)}${where}${suggestion(error.summary, text)}`);
}

const said = (summary: string) => `does not hold together: ${summary.replace(/\.$/, "")}`;

/** `letter.queu`: the nearest of the names that are known there. */
function suggestion(summary: string, text: string): string {
  const stranger = /(?:No such key|Unknown variable): (\w+)/i.exec(summary)?.[1];
  if (stranger === undefined) return "";
  const group = new RegExp(`(\\w+)\\.${stranger}\\b`).exec(text)?.[1] ?? "";
  const nearest = nearestName(stranger, namesIn(group));
  return nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
}

function namesIn(group: string): string[] {
  if (group === "letter" || group === "error" || group === "consumer") return Object.keys(conditionNames[group]);
  return [...Object.keys(conditionNames), "header", "body", "plan", "actor"];
}

const loops = ["all", "exists", "exists_one", "map", "filter"];

/**
 * Refuses what could keep a drain busy for ever: the language's own patterns backtrack, and loops in loops multiply.
 */
function refuseDangers(node: ASTNode, loopsAround: number): void {
  const method = node.op === "rcall" || node.op === "call" ? node.args[0] : undefined;
  if (method === "matches")
    throw new ConditionProblem("may not use `matches`: write a `pattern`, which is always fast");
  const isLoop = node.op === "rcall" && loops.includes(method ?? "");
  if (isLoop && loopsAround > 0) throw new ConditionProblem(`may not have one loop inside another (\`${method}\`)`);
  for (const child of childrenOf(node.args)) refuseDangers(child, loopsAround + (isLoop ? 1 : 0));
}

function childrenOf(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(childrenOf);
  return typeof args === "object" && args !== null && "op" in args ? [args as ASTNode] : [];
}
