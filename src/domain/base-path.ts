/** What stands before every path of a server below `basePath`: `/dlo` for `/dlo/`, nothing for `/`. */
export function pathPrefix(basePath: string): string {
  return basePath.replace(/\/+$/, "");
}
