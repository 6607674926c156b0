import { applyEdits, modify } from 'jsonc-parser';
import { quote } from '../../core/text/quote.ts';
import { parseAgentsFile } from './agents-file.ts';

/** The text of an agents file after an edit, or a sentence that says why it was not edited. */
export type HeaderEdit =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/**
 * Gives an agent of an agents file a header, in the place of one of that name in any case. What else stands in the file
 * stays, comments too.
 */
export function addHeader(text: string, agent: string, name: string, value: string): HeaderEdit {
  const config = parseAgentsFile(text).agents.get(agent);
  if (config?.type !== 'http')
    return {
      ok: false,
      message: `The agent ${quote(agent)} has no headers: only an agent of type 'http' in the agents file does.`,
    };
  const known = [...config.headers.keys()].find(each => each.toLowerCase() === name.toLowerCase());
  const path = ['agents', agent, 'headers', known ?? name];
  const formattingOptions = { insertSpaces: true, tabSize: 2 };
  return { ok: true, text: applyEdits(text, modify(text, path, value, { formattingOptions })) };
}
