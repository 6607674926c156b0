/** The value of a JSON text; undefined where it is none, which no JSON text has as its value. */
export function parseJson(text: string): unknown {
  if (!MAY_BE_JSON.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How JSON begins: the engine counts the lines of a long text before it says that it is none. */
const MAY_BE_JSON = /^[ \t\n\r]*(?:[{["\d-]|true|false|null)/;
