/** Logs a message about a document, once per document and message. */
export type ReportOnce = (uri: string, what: string) => void;

/**
 * Creates a function that logs what results leave out. Clients ask again after each key press, so each
 * message is logged once.
 */
export function reportOnceTo(log: (line: string) => void): ReportOnce {
  const reported = new Set<string>();
  return (uri, what) => {
    const line = `${uri}: ${what}`;
    if (reported.has(line)) return;
    reported.add(line);
    log(line);
  };
}
