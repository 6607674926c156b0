import { window, workspace } from 'vscode';
import {
  findProtocol,
  PROTOCOLS,
  type MessageLanguage,
  type ProtocolName,
} from '../../../../core/catalog/protocols.ts';
import { openJsonRequest } from '../../sending/json-file.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';
import { AICF_FILE, AICL_FILE, writeFirstRequest } from './first-request.ts';

/** Opens a new, unsaved file with a request in AICF. */
export const newAicfFile: Command = () => openNew('aicf', AICF_FILE);

/** Opens a new, unsaved file with a message in AICL. */
export const newAiclFile: Command = () => openNew('aicl', AICL_FILE);

async function openNew(language: MessageLanguage, content: string): Promise<void> {
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}

/** Opens a new, unsaved file with a request in the JSON of a protocol: the one that is named, or that the user picks. */
export const newJsonRequest: Command = async (_, [name]) => {
  const protocol = findProtocol(String(name))?.name ?? (await pickProtocol());
  if (protocol === undefined) return;
  await openJsonRequest(undefined, protocol, writeFirstRequest(protocol));
};

async function pickProtocol(): Promise<ProtocolName | undefined> {
  const items = PROTOCOLS.flatMap(row =>
    'requests' in row
      ? [{ label: row.title, description: `request${row.requests.files[0]}`, name: row.name }]
      : [],
  );
  return (await pickItem(items, { title: 'A request of which protocol?', matchOnDescription: true }))?.name;
}
