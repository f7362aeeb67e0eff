/** Whether a name fits a pattern in which `*` stands for any characters. */
export function matchesName(pattern: string, name: string): boolean {
  const literal = (text: string) => text.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&");
  return new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`, "s").test(name);
}
