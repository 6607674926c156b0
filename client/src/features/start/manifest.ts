import { NEVER, type Manifest, type WalkthroughRow } from '../manifest.ts';

const FOLDER = 'media/walkthroughs';

/** A link to a command that gets one text, such as the name of a protocol. */
function linkTo(title: string, command: string, argument?: string): string {
  const query = argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`;
  return `[${title}](command:${command}${query})`;
}

const SHOW_TRACES = linkTo('Show traces', 'parley.traces.focus');

const MCP: WalkthroughRow = {
  id: 'mcp',
  title: 'Call an MCP server',
  description: 'List what a server offers, call its tools, and see what its clients send to it.',
  steps: [
    {
      id: 'add',
      title: 'Add the server',
      description: `Give its command or its address. Servers of .vscode/mcp.json are listed already.\n${linkTo('Add agent', 'parley.addAgent')}\nYou can also ${linkTo('start the demo agents', 'parley.startDemoAgents')}.`,
      media: `${FOLDER}/mcp-add.md`,
      completedBy: ['onCommand:parley.addAgent', 'onContext:parley.agentsConnected'],
    },
    {
      id: 'call',
      title: 'Call a tool',
      description: `Choose a tool and fill in its form. The reply opens beside it.\n${linkTo('Call tool', 'parley.callTool')}`,
      media: `${FOLDER}/mcp-call.md`,
      completedBy: ['onCommand:parley.callTool'],
    },
    {
      id: 'file',
      title: 'Keep requests in a file',
      description: `Requests are files that you can commit, check and send again.\n${linkTo('New request', 'parley.newJsonRequest', 'mcp')}`,
      media: `${FOLDER}/mcp-file.md`,
      completedBy: ['onCommand:parley.newJsonRequest'],
    },
    {
      id: 'trace',
      title: 'See what was sent',
      description: `Each call is listed while it runs. Choose one for its times, headers and bytes.\n${SHOW_TRACES}`,
      media: `${FOLDER}/traces.md`,
      completedBy: ['onView:parley.traces'],
    },
    {
      id: 'record',
      title: 'Record another client',
      description: `A recording shows what a client such as a chat application sends to your server, and what the server replies.\n${linkTo('Record agent', 'parley.recordAgent')}`,
      media: `${FOLDER}/record.md`,
      completedBy: ['onCommand:parley.recordAgent'],
    },
  ],
};

const A2A: WalkthroughRow = {
  id: 'a2a',
  title: 'Talk to an A2A agent',
  description: 'Send messages, continue a conversation, and follow tasks across agents.',
  steps: [
    {
      id: 'add',
      title: 'Add the agent',
      description: `Give the address of the agent or of its card.\n${linkTo('Add agent', 'parley.addAgent')}`,
      media: `${FOLDER}/a2a-add.md`,
      completedBy: ['onCommand:parley.addAgent', 'onContext:parley.agentsConnected'],
    },
    {
      id: 'file',
      title: 'Send a message',
      description: `Choose Send above the request.\n${linkTo('New request', 'parley.newJsonRequest', 'a2a')}`,
      media: `${FOLDER}/a2a-file.md`,
      completedBy: ['onCommand:parley.newJsonRequest'],
    },
    {
      id: 'trace',
      title: 'Follow the task',
      description: `Requests about one task are one trace, with the calls to other agents below them.\n${SHOW_TRACES}`,
      media: `${FOLDER}/traces.md`,
      completedBy: ['onView:parley.traces'],
    },
  ],
};

const RESPONSES: WalkthroughRow = {
  id: 'responses',
  title: 'Talk to an OpenAI-style agent',
  description: 'Send requests of the Responses API to any agent that takes them, and read their streams.',
  steps: [
    {
      id: 'add',
      title: 'Add the agent',
      description: `Give its address. A key is stored by VS Code, not in a file.\n${linkTo('Add agent', 'parley.addAgent')}`,
      media: `${FOLDER}/responses-add.md`,
      completedBy: ['onCommand:parley.addAgent', 'onContext:parley.agentsConnected'],
    },
    {
      id: 'file',
      title: 'Send a request',
      description: `Choose Send above the request. The reply grows while it streams.\n${linkTo('New request', 'parley.newJsonRequest', 'responses')}`,
      media: `${FOLDER}/responses-file.md`,
      completedBy: ['onCommand:parley.newJsonRequest'],
    },
    {
      id: 'trace',
      title: 'See each event',
      description: `The details of a call have its reasoning, tool calls, texts and token counts.\n${SHOW_TRACES}`,
      media: `${FOLDER}/traces.md`,
      completedBy: ['onView:parley.traces'],
    },
    {
      id: 'cost',
      title: 'Count tokens',
      description: `Compare what a message costs in each protocol.\n${linkTo('Compare cost', 'parley.compareCost')}`,
      media: `${FOLDER}/cost.md`,
      completedBy: ['onCommand:parley.compareCost'],
    },
  ],
};

const LANGUAGES: WalkthroughRow = {
  id: 'languages',
  title: 'Write requests in AICF and AICL',
  description: 'Two short languages for messages between agents.',
  steps: [
    {
      id: 'aicf',
      title: 'AICF: one request a line',
      description: `Send it to an agent of any protocol: Parley converts it.\n${linkTo('New file', 'parley.newAicfFile')}`,
      media: `${FOLDER}/aicf.md`,
      completedBy: ['onCommand:parley.newAicfFile', 'onLanguage:aicf'],
    },
    {
      id: 'aicl',
      title: 'AICL: typed messages',
      description: `Values have types, tensors included. Completion offers the fields of each message type.\n${linkTo('New file', 'parley.newAiclFile')}`,
      media: `${FOLDER}/aicl.md`,
      completedBy: ['onCommand:parley.newAiclFile', 'onLanguage:aicl'],
    },
    {
      id: 'convert',
      title: 'Convert a message',
      description: `See it in any protocol, with a list of what could not be carried.\n${linkTo('Convert', 'parley.convert')}`,
      media: `${FOLDER}/convert.md`,
      completedBy: ['onCommand:parley.convert'],
    },
  ],
};

export const START = {
  category: 'Parley',
  commands: [
    {
      name: 'newAicfFile',
      title: 'Agent Requests (.aicf)',
      palette: NEVER,
      menus: { 'file/newFile': { group: 'file@1' } },
    },
    {
      name: 'newAiclFile',
      title: 'LightAICL Message (.aicl)',
      palette: NEVER,
      menus: { 'file/newFile': { group: 'file@2' } },
    },
    {
      name: 'newJsonRequest',
      title: 'Agent Request in JSON…',
      palette: NEVER,
      menus: { 'file/newFile': { group: 'file@3' } },
    },
  ],
  walkthroughs: [MCP, A2A, RESPONSES, LANGUAGES],
} as const satisfies Manifest;
