// Installations that earlier versions wrote, with all logs in the data folder, opened by this one.

import { copyFixture, onEachFixture, openFixture } from './opened-fixture.ts';
import { defineOpened } from './opened-suite.ts';

onEachFixture('An installation', (fixture) =>
  defineOpened(fixture, async () => await openFixture(await copyFixture(fixture))),
);
