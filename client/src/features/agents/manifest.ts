import { inView, NEVER, ON_DESKTOP, onRow, TRUSTED, type Manifest } from '../manifest.ts';

export const AGENTS = {
  category: 'Parley',
  commands: [
    { name: 'pickAgent', title: 'Pick Agent…' },
    {
      name: 'addAgent',
      title: 'Add Agent…',
      icon: 'add',
      menus: { 'view/title': { group: 'navigation@1', when: inView('agents', ON_DESKTOP) } },
    },
    {
      name: 'connectAgent',
      title: 'Connect Agent',
      icon: 'plug',
      enablement: TRUSTED,
      menus: {
        'view/item/context': [
          { group: 'inline@1', when: onRow('agents', /^agent\.(idle|failed)/) },
          { group: '1_connect@1', when: onRow('agents', /^agent\.(idle|failed)/) },
        ],
      },
    },
    {
      name: 'disconnectAgent',
      title: 'Disconnect Agent',
      icon: 'debug-disconnect',
      enablement: TRUSTED,
      menus: {
        'view/item/context': [
          { group: 'inline@2', when: onRow('agents', /^agent\.connect/) },
          { group: '1_connect@2', when: onRow('agents', /^agent\.connect/) },
        ],
      },
    },
    {
      name: 'refreshAgent',
      title: 'Refresh Agent Tools',
      icon: 'refresh',
      enablement: TRUSTED,
      menus: {
        'view/title': { group: 'navigation@2', when: inView('agents', ON_DESKTOP) },
        'view/item/context': [
          { group: 'inline@1', when: onRow('agents', /^agent\.connected/) },
          { group: '1_connect@1', when: onRow('agents', /^agent\.connected/) },
        ],
      },
    },
    {
      name: 'signOut',
      title: 'Sign Out of Agent',
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '1_connect@3', when: onRow('agents', /^agent\..*\.signIn$/) } },
    },
    {
      name: 'insertCall',
      title: 'Insert Call',
      icon: 'insert',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': [
          { group: 'inline@2', when: onRow('agents', /^tool$/) },
          { group: '1_call@2', when: onRow('agents', /^tool$/) },
        ],
      },
    },
    {
      name: 'copyCall',
      title: 'Copy Call As…',
      icon: 'copy',
      enablement: TRUSTED,
      palette: NEVER,
      menus: {
        'view/item/context': [
          { group: 'inline@3', when: onRow('agents', /^tool$/) },
          { group: '1_call@3', when: onRow('agents', /^tool$/) },
        ],
      },
    },
    {
      name: 'openAgentsFile',
      title: 'Open Agents File',
      icon: 'go-to-file',
      menus: {
        'view/title': { group: 'navigation@3', when: inView('agents') },
        'view/item/context': [
          { group: '9_file', when: onRow('agents', /^agent|^problem/) },
          { group: 'inline@9', when: onRow('agents', /^agent|^problem/) },
        ],
      },
    },
    {
      name: 'diagnoseAgent',
      title: 'Diagnose Connection…',
      icon: 'pulse',
      enablement: TRUSTED,
      menus: { 'view/item/context': { group: '2_doctor', when: onRow('agents', /^agent/) } },
    },
    {
      name: 'startDemoAgents',
      title: 'Start Demo Agents',
      enablement: TRUSTED,
      menus: { 'view/title': { group: '1_demo', when: inView('agents', '!parley.demoRunning') } },
    },
    {
      name: 'stopDemoAgents',
      title: 'Stop Demo Agents',
      enablement: 'parley.demoRunning',
      menus: { 'view/title': { group: '1_demo', when: inView('agents', 'parley.demoRunning') } },
    },
    { name: 'moveCredential', title: 'Move Credential Into a Secret', palette: NEVER },
    {
      name: 'forgetSecrets',
      title: 'Forget Saved Secrets…',
      menus: { 'view/title': { group: '2_secrets', when: inView('agents') } },
    },
  ],
  views: [
    {
      id: 'agents',
      name: 'Agents',
      size: 1,
      welcome: [
        {
          contents:
            'Agents that requests go to are listed in .vscode/agents.json. Add one of yours, or try the demo agents.\n[Add agent](command:parley.addAgent)\n[Open agents file with the demo agents](command:parley.openAgentsFile)',
          when: 'workspaceFolderCount != 0',
        },
        {
          contents:
            "Agents are listed in a folder's .vscode/agents.json.\n[Open folder](command:vscode.openFolder)",
          when: 'workspaceFolderCount == 0',
        },
      ],
    },
  ],
} as const satisfies Manifest;
