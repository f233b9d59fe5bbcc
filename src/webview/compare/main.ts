import '../common/base.css';
import '../common/panel.css';
import './compare.css';
import { openPage } from '../common/page.ts';
import { startComparison } from './start.ts';

const page = openPage('compare');
page.showIcons();
startComparison(page);
