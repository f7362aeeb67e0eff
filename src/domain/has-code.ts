/** Whether a system, a database or a broker failed for that reason: `EEXIST`, `23505`, `404`. */
export function hasCode(error: unknown, code: string | number): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
