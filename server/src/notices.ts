/** Writes a line about a document, the first time that it is said of that document. */
export type TellOnce = (uri: string, what: string) => void;

/** Tells a log what answers leave out: a client asks again after each key, and one line is enough. */
export function tellOnceTo(log: (line: string) => void): TellOnce {
  const told = new Set<string>();
  return (uri, what) => {
    const line = `${uri}: ${what}`;
    if (told.has(line)) return;
    told.add(line);
    log(line);
  };
}
