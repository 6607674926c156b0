import { PARTS } from '../../../core/catalog/media.ts';
import { boolValue, listValue, textValue, type DictValue, type Value } from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { Offer } from '../../serving/serving.ts';

/** The methods of the modules (AIO-MCP 1.2.1, section 5). */
const MODULES = {
  resources: ['resources.list', 'resources.get'],
  prompts: ['prompts.list', 'prompts.get'],
  tools: ['tools.list', 'tools.call'],
  sampling: ['sampling.start', 'sampling.step'],
} as const;

type ModuleName = keyof typeof MODULES;

/** The tools that are called as tools: the one for tasks is the method `input`. */
export function listOwnTools({ tools }: Offer): Offer['tools'] {
  return tools.filter(tool => !tool.isForTasks);
}

function hasModule(offer: Offer, module: ModuleName): boolean {
  switch (module) {
    case 'resources':
      return offer.resources.length > 0;
    case 'prompts':
      return offer.prompts.length > 0;
    case 'tools':
      return listOwnTools(offer).length > 0 || offer.isOpen;
    case 'sampling':
      return offer.takesTasks;
  }
}

const NAMES: readonly ModuleName[] = ['resources', 'prompts', 'tools', 'sampling'];

/** The names of the methods that an agent has. */
export function listMethodNames(offer: Offer): readonly string[] {
  const modules = NAMES.filter(module => hasModule(offer, module));
  return ['help', ...(offer.takesTasks ? ['input'] : []), ...modules.flatMap(module => [...MODULES[module]])];
}

/**
 * The answer to `help` (AIO-MCP 1.2.1, section 4). An agent that takes no tasks is of the kind `mcp`, whose agents have
 * no `input`.
 */
export function describeAgent(offer: Offer, transport: 'http' | 'stdio'): DictValue {
  const { name, version, description, problem } = offer;
  const modules = NAMES.map((module): [string, Value] => [module, boolValue(hasModule(offer, module))]);
  return dictOf({
    name: textValue(name),
    version: textValue(version),
    description: textValue(problem === undefined ? description : `${description}. ${problem}`),
    type: textValue(offer.takesTasks ? transport : 'mcp'),
    methods: listValue(listMethodNames(offer).map(textValue)),
    modalities: listValue(MODALITIES.map(textValue)),
    mcp: dictOf(Object.fromEntries(modules)),
  });
}

/** The types of values (section 6). */
export const MODALITIES: readonly string[] = PARTS.flatMap(({ name, media }) =>
  name === 'text' || media !== undefined ? [name] : [],
);
