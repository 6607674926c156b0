import { Range, workspace } from 'vscode';
import { decodeField } from '../../../../language/aicf/codec.ts';
import { findAicfCredential } from '../../../../language/aicf/parse.ts';
import { chooseAgent } from '../../services/choose-agent.ts';
import { showInformation, showWarning } from '../../window/messages.ts';
import { textOfRequest } from '../../sending/request-text.ts';
import { maySend, UNTRUSTED } from '../../base/trust.ts';
import { readPosition, readUri } from '../../targets/arguments.ts';
import { askText } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';
import { replaceText } from '../../window/replace-text.ts';

/**
 * Moves the credential in the last field of an AICF request to a secret: the agent's header references it
 * from then on, and the field is removed (reading of AICF-RPC 1.0, section 2.2).
 */
export const moveCredential: Command = async ({ agents, server, picked }, [target, place]) => {
  const uri = readUri(target);
  const position = readPosition(place);
  if (!agents || !uri || !position) return;
  if (!maySend()) return showWarning(UNTRUSTED);
  const document = await workspace.openTextDocument(uri);
  const request = await server.requestAt(uri, position);
  const raw = request && findAicfCredential(textOfRequest(document, request));
  if (!request || raw === undefined) return;
  const choice = await chooseAgent(await agents.list(), request, request.directives.agent, picked);
  if (!choice) return;
  if ('problem' in choice) return showWarning(choice.problem);
  const agent = choice.agent.name;
  const name = await askText({
    title: `Store the credential for ${agent} as a secret`,
    prompt: 'The name of the secret. VS Code stores the credential itself, and it is removed from the file.',
    value: agent,
    validateInput: text => (/^[\w.-]+$/.test(text) ? undefined : 'Use letters, digits, ".", "_" and "-".'),
  });
  if (name === undefined) return;
  const problem = await agents.moveCredential(agent, { name, value: decodeField(raw, 'request') });
  if (problem !== undefined) return showWarning(`The credential was not moved. ${problem}`);
  const { end } = request;
  const field = `|AUTH:${raw}`;
  await replaceText(uri, new Range(end.line, end.character - field.length, end.line, end.character), '');
  showInformation(`The secret ${name} is now sent to ${agent} in its header Authorization.`);
};
