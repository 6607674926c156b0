/** Every command that package.json contributes. */
export const COMMAND_NAMES = [
  'parley.send',
  'parley.stopCall',
  'parley.pickAgent',
  'parley.pickDialect',
  'parley.startDemoAgents',
  'parley.stopDemoAgents',
  'parley.openAgentsFile',
  'parley.openCall',
  'parley.openSource',
  'parley.clearTraces',
  'parley.forgetSecrets',
  'parley.showLog',
  'parley.restartServer',
  'parley.inspectTensor',
  'parley.compareTensors',
  'parley.insertTensor',
  'parley.editTensor',
  'parley.exportTensor',
  'parley.convert',
  'parley.convertAndReplace',
  'parley.copyAs',
  'parley.showAs',
  'parley.switchConversion',
  'parley.pasteAsAicl',
  'parley.pasteAsAicf',
  'parley.compareCost',
  'parley.showTokenCounts',
  'parley.hideTokenCounts',
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

/** What only our own lenses, rows and buttons run: it needs arguments, so the palette hides it. */
export const INTERNAL_COMMANDS: readonly CommandName[] = ['parley.openCall', 'parley.openSource'];
