/** The value of a JSON text; undefined where it is none, which no JSON text has as its value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
