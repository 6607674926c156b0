import { type QuickPickItem } from 'vscode';
import {
  findProtocol,
  PROTOCOLS,
  type AgentType,
  type ProtocolName,
  protocolRow,
} from '../../../../core/catalog/protocols.ts';
import { quote } from '../../../../core/text/quote.ts';
import type { AgentDraft } from '../../services/agent-service.ts';
import { askText, pickItem } from '../../window/sinks/quick-input.ts';

/**
 * Asks for a new agent in steps: protocol, connection type, address or command, name. Returns undefined if
 * the user cancels.
 */
export async function askForAgent(taken: ReadonlySet<string>): Promise<AgentDraft | undefined> {
  const protocol = await askProtocol();
  const type = protocol && (await askType(protocol));
  if (!protocol || !type) return undefined;
  const where = await (type === 'http' ? askAddress(protocol) : askCommand());
  const name = where === undefined ? undefined : await askName(taken, suggestName(where, type));
  return where === undefined || name === undefined ? undefined : { name, protocol, type, where };
}

async function askProtocol(): Promise<ProtocolName | undefined> {
  const items = PROTOCOLS.map(row => ({ label: row.title, description: row.name, name: row.name }));
  const title = 'Add agent (1 of 4): protocol';
  return (await pickItem(items, { title, matchOnDescription: true }))?.name;
}

const TYPES: Readonly<Record<AgentType, QuickPickItem>> = {
  http: { label: 'At an address', description: 'http', detail: 'It listens at an http or https address.' },
  stdio: {
    label: 'As a process',
    description: 'stdio',
    detail: 'A command on this computer is started and spoken to over its standard input and output.',
  },
};

async function askType(protocol: ProtocolName): Promise<AgentType | undefined> {
  const types: readonly AgentType[] = findProtocol(protocol)?.types ?? [];
  if (types.length === 1) return types[0];
  const items = types.map(type => ({ ...TYPES[type], type }));
  return (await pickItem(items, { title: 'Add agent (2 of 4): how it is reached' }))?.type;
}

function askAddress(protocol: ProtocolName): Thenable<string | undefined> {
  return askText({
    title: 'Add agent (3 of 4): address',
    prompt: '${env:X} and ${secret:X} stand for values that are not written into the file.',
    placeHolder: protocolRow(protocol).sampleAddress,
    ignoreFocusOut: true,
    validateInput: checkAddress,
  });
}

/** Checks an address. One with variables cannot be checked until it is used. */
function checkAddress(text: string): string | undefined {
  if (text.includes('${')) return undefined;
  const isWeb = /^https?:\/\/./i.test(text) && URL.canParse(text);
  return isWeb ? undefined : 'Write an address such as http://localhost:3000/mcp';
}

function askCommand(): Thenable<string | undefined> {
  return askText({
    title: 'Add agent (3 of 4): command line',
    prompt: 'It runs in the workspace folder, after you agreed. Use quotes around arguments with spaces.',
    placeHolder: 'node coder.js --quiet',
    ignoreFocusOut: true,
    validateInput: text => (text.trim() === '' ? 'Write the command that starts the agent' : undefined),
  });
}

function askName(taken: ReadonlySet<string>, value: string): Thenable<string | undefined> {
  return askText({
    title: 'Add agent (4 of 4): name',
    prompt: 'Requests name it with a line # @agent NAME above them.',
    value: taken.has(value) ? '' : value,
    ignoreFocusOut: true,
    validateInput: text => checkName(text, taken),
  });
}

function checkName(text: string, taken: ReadonlySet<string>): string | undefined {
  if (text.trim() === '' || text !== text.trim())
    return 'Write a name that neither begins nor ends with a space';
  return taken.has(text) ? `There is an agent ${quote(text)} already` : undefined;
}

/** Suggests a name from the host, or from the script or command. */
function suggestName(where: string, type: AgentType): string {
  if (type === 'http') return URL.parse(where)?.hostname.split('.')[0] ?? '';
  const words = where.trim().split(/\s+/);
  const file = words.find(word => /\.[cm]?[jt]s$|\.py$/.test(word)) ?? words[0] ?? '';
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  return name.replace(/(?<=.)\.\w+$/, '');
}
