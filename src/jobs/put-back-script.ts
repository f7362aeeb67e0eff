import { type RedisArgument, type RedisScript, redisScript } from "../domain/redis.ts";
import type { RedisStore } from "./redis-store.ts";

/**
 * Redis does not undo what a script did before one of its commands was refused (a right that is missing, a key of another kind),
 * and a job that is in no set any more is lost. So `mayRemove` finds out first, by a member that nobody has, whether the failure
 * can be removed at all; `try` does a step, and undoes those before it where it is refused; the push is the last step, and the
 * removal comes after it. Of its time, which is the last argument, whoever looks for what a silent sender did relies on the end.
 */
const prelude = `
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 >= tonumber(ARGV[#ARGV]) then return 'late' end
local steps = {}
local function try(undo, ...)
  local answer = redis.pcall(...)
  if type(answer) == 'table' and answer.err then
    for index = #steps, 1, -1 do redis.pcall(unpack(steps[index])) end
    error((string.gsub(answer.err, '^ERR ', '')), 0)
  end
  if undo then steps[#steps + 1] = undo end
  return answer
end
local function mayRemove(command, key) redis.call(command, key, '') end
`;

/** A script that puts a job back as a whole, or not at all. */
export function putBackWhole(text: string): RedisScript {
  return redisScript(`${prelude}${text}`);
}

interface ScriptCall {
  readonly keys: readonly string[];
  readonly args: readonly RedisArgument[];
  readonly beforeMs: number;
}

/** What the script says: `done`, `moved`, `late`, or whatever else it has to say. */
export async function runPutBack(
  store: RedisStore,
  script: RedisScript,
  { keys, args, beforeMs }: ScriptCall,
): Promise<string> {
  return String(await store.run(script, keys, [...args, beforeMs]));
}

/** The answer of a script that has nothing else to say. */
export function plainAnswer(answer: string): "done" | "moved" | "late" {
  return answer === "done" || answer === "late" ? answer : "moved";
}
