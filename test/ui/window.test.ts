import { isPictured } from './support/pictures.ts';
import { testSamplesWindow } from './support/samples-window.ts';

// The stress tests run all of them in light colours.
testSamplesWindow('light', isPictured ? 'all' : 'colours');
testSamplesWindow('dark', 'all');
