import { protocolRow, type ProtocolRow } from '../../../../core/catalog/protocols.ts';
import type { AgentInfo } from '../../services/agent-service.ts';
import { runCommand } from '../../window/messages.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';

/** Opens a new, unsaved file with a request to an agent, in a language that the user picks. */
export async function writeText({ name, protocol }: AgentInfo): Promise<void> {
  const { language, requests, title }: ProtocolRow = protocolRow(protocol);
  const aicf = { label: 'AICF', write: () => runCommand('parley.newAicfFile', name) };
  const aicl = { label: 'AICL', write: () => runCommand('parley.newAiclFile', name) };
  const json = {
    label: 'JSON',
    description: title,
    write: () => runCommand('parley.newJsonRequest', protocol, name),
  };
  const items = [...(requests ? [json] : []), ...(language === 'aicl' ? [aicl, aicf] : [aicf, aicl])];
  (await pickItem(items, { title: `Write a request to ${name} in an editor` }))?.write();
}
