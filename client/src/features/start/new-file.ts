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
import { writeFirstFile, writeFirstRequest } from './first-request.ts';
import { readText } from '../../../../core/text/fields.ts';

/** Opens a new, unsaved file with a request in AICF; the argument names its agent. */
export const newAicfFile: Command = (_, [agent]) => openNew('aicf', agent);

/** Opens a new, unsaved file with a message in AICL; the argument names its agent. */
export const newAiclFile: Command = (_, [agent]) => openNew('aicl', agent);

async function openNew(language: MessageLanguage, agent: unknown): Promise<void> {
  const content = writeFirstFile(language, readText(agent));
  await window.showTextDocument(await workspace.openTextDocument({ language, content }));
}

/**
 * Opens a new, unsaved file with a request in the JSON of a protocol: the one that is named, or that the user picks. A
 * second argument names its agent.
 */
export const newJsonRequest: Command = async (_, [name, agent]) => {
  const protocol = findProtocol(String(name))?.name ?? (await pickProtocol());
  if (protocol === undefined) return;
  await openJsonRequest(readText(agent), protocol, writeFirstRequest(protocol));
};

async function pickProtocol(): Promise<ProtocolName | undefined> {
  const items = PROTOCOLS.flatMap(row =>
    'requests' in row
      ? [{ label: row.title, description: `request${row.requests.files[0]}`, name: row.name }]
      : [],
  );
  return (await pickItem(items, { title: 'A request of which protocol?', matchOnDescription: true }))?.name;
}
