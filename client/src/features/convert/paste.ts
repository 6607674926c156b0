import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { commands, EndOfLine, Range, Selection, window, workspace, type TextDocument } from 'vscode';
import { readPasted } from '../../../../protocols/convert/paste/pasted.ts';
import type { MessageLanguage } from '../../../../core/catalog/protocols.ts';
import type { EditPlace } from '../../targets/edit-place.ts';
import { CONVERT } from '../../../../wire/conversion-requests.ts';
import type { Asker } from '../../language-client/ask.ts';
import type { CommandName } from '../manifests.ts';
import type { ConversionViews } from './conversion-views.ts';
import { showDone } from './replace.ts';
import { countFindings, shortName } from '../../conversion/words.ts';
import { redactUrl } from '../../../../core/secrets/redact.ts';
import type { AgentInfo, AgentService } from '../../services/agent-service.ts';
import { trimEndOf } from '../../../../core/text/trim.ts';
import { replaceText } from '../../window/replace-text.ts';

const NOTHING = 'No message was found on the clipboard, so nothing was pasted.';
const REFUSED = 'The document takes no edit now, so nothing was pasted.';

/**
 * Inserts the messages of a clipboard text as AICL or AICF on lines of their own; without a place, into a new
 * document. Returns an error sentence if nothing was pasted.
 */
export async function pasteMessages(
  {
    server,
    conversions,
    agents,
  }: {
    readonly server: Asker;
    readonly conversions: ConversionViews;
    readonly agents: Pick<AgentService, 'list'> | undefined;
  },
  clipboard: string,
  to: MessageLanguage,
  place: EditPlace | undefined,
): Promise<string | undefined> {
  const pasted = readPasted(clipboard, ALL_PROTOCOLS);
  if (pasted.kind === 'fault') return `${pasted.problem}.`;
  const { text, from, url } = pasted;
  const result = await server.ask(CONVERT, {
    source: { text, ...(from && { from }) },
    to,
    layout: 'fitting',
  });
  if (!result || result.from.length === 0 || result.text.trim() === '') return NOTHING;
  const target = place ?? (await openNew(to));
  const agent = url === undefined ? undefined : findReceiver(url, (await agents?.list())?.agents ?? []);
  const head = agent === undefined ? '' : `# @agent ${agent}\n`;
  const inserted = await insert(target, head + result.text);
  if (inserted === undefined) return REFUSED;
  const lost =
    url === undefined || agent !== undefined
      ? []
      : [`No agent has its address ${redactUrl(url)}, so the request is for the selected agent`];
  const remark = [...lost, ...pasted.remarks].map(sentence => ` ${sentence}.`).join('');
  const addAgent = (): Promise<void> => addReceiver(target.document, inserted, clipboard);
  showDone(
    `Pasted as ${shortName(to)}`,
    remark,
    countFindings(result),
    () => conversions.showResult(target.document.uri, to, result),
    lost.length > 0 ? new Map([['Add agent', addAgent]]) : new Map(),
  );
  return undefined;
}

/** The agent with the address of a cURL command, else the only one at its origin. */
function findReceiver(url: string, agents: readonly AgentInfo[]): string | undefined {
  const wanted = URL.parse(url);
  if (!wanted) return undefined;
  const near = agents.filter(({ address }) => URL.parse(address)?.origin === wanted.origin);
  const exact = near.find(({ address }) => URL.parse(address)?.pathname === wanted.pathname);
  return (exact ?? (near.length === 1 ? near[0] : undefined))?.name;
}

async function openNew(language: MessageLanguage): Promise<EditPlace> {
  const document = await workspace.openTextDocument({ language });
  await window.showTextDocument(document);
  return { document, range: new Range(0, 0, 0, 0) };
}

const ADD_AGENT: CommandName = 'parley.addAgent';

/** Adds the agent of a cURL command, and names it above the inserted request. */
async function addReceiver(document: TextDocument, inserted: string, command: string): Promise<void> {
  const name: unknown = await commands.executeCommand(ADD_AGENT, command);
  const offset = document.getText().indexOf(inserted);
  if (typeof name !== 'string' || offset < 0) return;
  const at = document.positionAt(offset);
  await replaceText(document.uri, new Range(at, at), `# @agent ${name}\n`);
}

/**
 * Inserts on separate lines: adds line breaks if there is other text before or after. Returns the inserted
 * lines; undefined if the document takes no edit.
 */
async function insert({ document, range }: EditPlace, result: string): Promise<string | undefined> {
  const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
  const lines = trimEndOf(result, '\r\n').replace(/\r?\n/g, lineEnd);
  const { start, end } = range;
  const isAfterText = document.lineAt(start.line).text.slice(0, start.character).trim() !== '';
  const isBeforeText = document.lineAt(end.line).text.slice(end.character).trim() !== '';
  const text = (isAfterText ? lineEnd : '') + lines + lineEnd.repeat(isBeforeText ? 1 : 0);
  const offset = document.offsetAt(start);
  if (!(await replaceText(document.uri, range, text))) return undefined;
  const editor = window.visibleTextEditors.find(shown => shown.document === document);
  const after = document.positionAt(offset + text.length);
  if (editor) editor.selection = new Selection(after, after);
  return lines;
}
