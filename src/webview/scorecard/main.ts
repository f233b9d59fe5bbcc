import '../common/base.css';
import '../common/panel.css';
import '../column-form/column-form.css';
import './scorecard.css';
import { openPage } from '../common/page.ts';
import { startScorecardForm } from './start.ts';

const page = openPage('scorecard');
page.showIcons();
startScorecardForm(page);
