import { window, workspace, type Uri } from 'vscode';
import { showWarning } from '../../window/messages.ts';
import { sendMany, type SentMany } from './send-many.ts';
import { readLanguage, readUri } from '../../targets/arguments.ts';
import type { WireRange } from '../../../../wire/places.ts';
import type { Command, Shared } from '../feature.ts';

/** Sends all requests that the selection touches, in order. Returns their outcomes. */
export const sendSelection: Command = services => {
  const editor = window.activeTextEditor;
  if (!editor || !readLanguage(editor.document.languageId)) return refuse();
  const { start, end } = editor.selection;
  const range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  return send(services, editor.document.uri, range, 'stop');
};

/**
 * Sends all requests of a file in order: that of the argument, else the one in front. With the second
 * argument `go on`, it continues after a failure. Returns their outcomes.
 */
export const sendAll: Command = (services, [target, onFailure]) => {
  const document = window.activeTextEditor?.document;
  const uri = readUri(target) ?? (readLanguage(document?.languageId ?? '') ? document?.uri : undefined);
  if (!uri) return refuse();
  return send(services, uri, undefined, onFailure === 'go on' ? 'go on' : 'stop');
};

async function send(
  services: Shared,
  uri: Uri,
  range: WireRange | undefined,
  onFailure: 'stop' | 'go on',
): Promise<SentMany | undefined> {
  await workspace.openTextDocument(uri);
  const positions = await services.server.requestsIn(uri, range);
  if (positions.length > 0) return sendMany(services, uri, positions, onFailure);
  return showWarning(range ? 'The selection touches no request.' : 'This file holds no request.');
}

function refuse(): undefined {
  return showWarning(
    'Open a file with requests, such as x.aicf or x.mcp.jsonc, with requests, then send them.',
  );
}
