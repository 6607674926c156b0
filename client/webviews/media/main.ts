import './media.css';
import { MediaPage } from './page.ts';

const root = document.getElementById('root');
if (root) new MediaPage(root);
