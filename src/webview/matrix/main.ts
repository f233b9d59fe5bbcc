import '../common/base.css';
import '../common/panel.css';
import './matrix.css';
import { openPage } from '../common/page.ts';
import { startMatrix } from './start.ts';

const page = openPage('matrix');
page.showIcons();
startMatrix(page);
