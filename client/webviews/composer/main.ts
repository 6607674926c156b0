import './composer.css';
import '../shared/fold.css';
import '../shared/reply/reply.css';
import { ComposerPage } from './page.ts';

const root = document.getElementById('root');
if (root) new ComposerPage(root);
