import { Range, Uri, window, workspace, type TextDocument } from 'vscode';
import { findProtocol, type RequestFacts } from '../../../core/catalog/protocols.ts';
import { setLanguage } from '../window/editor-language.ts';
import { showWarning } from '../window/messages.ts';
import { replaceText } from '../window/replace-text.ts';

/**
 * Opens a new, unsaved file with a request in the JSON of a protocol, named so that Parley knows the protocol; its first
 * line names the agent, if there is one. Returns undefined, after a warning, for a protocol without JSON.
 */
export async function openJsonRequest(
  agent: string | undefined,
  protocol: string,
  json: string,
): Promise<TextDocument | undefined> {
  const facts: RequestFacts | undefined = requestFacts(protocol);
  if (!facts) {
    const title = findProtocol(protocol)?.short ?? protocol;
    return showWarning(`Requests of ${title} are no JSON. Use Insert Call or Open Request instead.`);
  }
  const uri = findFree((agent ?? 'request').replace(/[^\p{L}\p{N}_-]+/gu, '-'), facts.files[0] ?? '');
  const opened = await workspace.openTextDocument(uri);
  const document = await setLanguage(opened, 'agent-json');
  const head = agent === undefined ? '' : `// @agent ${agent}\n`;
  await replaceText(uri, new Range(0, 0, 0, 0), `${head}${json.trim()}\n`);
  await window.showTextDocument(document);
  return document;
}

function requestFacts(protocol: string): RequestFacts | undefined {
  const row = findProtocol(protocol);
  return row && 'requests' in row ? row.requests : undefined;
}

/** The name of an unsaved file that is not open yet; in the first folder, where saving it proposes to put it. */
function findFree(name: string, ending: string): Uri {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const open = new Set(workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const file = `${name}${number === 1 ? '' : `-${number}`}${ending}`;
    const path = folder ? Uri.joinPath(folder, file).path : file;
    if (!open.has(path)) return Uri.from({ scheme: 'untitled', path });
  }
}
