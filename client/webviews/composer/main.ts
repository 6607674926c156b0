import './composer.css';
import { ComposerPage } from './page.ts';

const root = document.getElementById('root');
if (root) new ComposerPage(root);
