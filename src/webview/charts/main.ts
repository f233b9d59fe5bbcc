import '../common/base.css';
import '../common/panel.css';
import './charts.css';
import { openPage } from '../common/page.ts';
import { startCharts } from './start.ts';

const page = openPage('charts');
page.showIcons();
startCharts(page);
