import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

describe('The Prometheus text of', () => {
  it('a counter has one line for each set of labels', () => {
    const metrics = new Metrics();
    const counter = metrics.counter('vigil_calls_total', 'Calls.');
    counter.add({ route: '/a' });
    counter.add({ route: '/a' }, 2);
    counter.add({ route: '/b' }, 0);
    expect(metrics.text()).toBe(
      [
        '# HELP vigil_calls_total Calls.',
        '# TYPE vigil_calls_total counter',
        'vigil_calls_total{route="/a"} 3',
        'vigil_calls_total{route="/b"} 0',
        '',
      ].join('\n'),
    );
  });

  it('instruments without some labels adds up what differs in these alone', () => {
    const metrics = new Metrics();
    const counter = metrics.counter('vigil_records_total', 'Records.');
    counter.add({ protocol: 'push', table: 'a' }, 2);
    counter.add({ protocol: 'push', table: 'b' }, 3);
    counter.add({ logger: 'x' }, 5);
    const histogram = metrics.histogram('vigil_seconds', 'Time.', [1]);
    for (const table of ['a', 'b']) histogram.observe({ table }, 0.5);
    const lines = metrics.text({ without: ['table', 'logger'] }).split('\n');
    expect(lines.filter((line) => !line.startsWith('#') && line !== '')).toEqual([
      'vigil_records_total{protocol="push"} 5',
      'vigil_records_total 5',
      'vigil_seconds_bucket{le="1"} 2',
      'vigil_seconds_bucket{le="+Inf"} 2',
      'vigil_seconds_sum 1',
      'vigil_seconds_count 2',
    ]);
    expect(metrics.text()).toContain('{protocol="push",table="b"} 3');
  });

  it('a gauge is read at every scrape', () => {
    const metrics = new Metrics();
    let value = 1;
    metrics.gauge('vigil_size', 'Size.', () => value);
    expect(metrics.text()).toContain('\nvigil_size 1\n');
    value = 2.5;
    expect(metrics.text()).toContain('\nvigil_size 2.5\n');
  });

  it('a histogram counts into every bucket that is large enough', () => {
    const metrics = new Metrics();
    const histogram = metrics.histogram('vigil_seconds', 'Time.', [0.1, 1]);
    for (const value of [0.05, 0.1, 0.5, 7]) histogram.observe({ route: '/a' }, value);
    expect(metrics.text().split('\n').slice(1)).toEqual([
      '# TYPE vigil_seconds histogram',
      'vigil_seconds_bucket{route="/a",le="0.1"} 2',
      'vigil_seconds_bucket{route="/a",le="1"} 3',
      'vigil_seconds_bucket{route="/a",le="+Inf"} 4',
      'vigil_seconds_sum{route="/a"} 7.65',
      'vigil_seconds_count{route="/a"} 4',
      '',
    ]);
  });

  it('a label escapes quotes, backslashes and line breaks', () => {
    const metrics = new Metrics();
    metrics.counter('vigil_calls_total', 'Calls.').add({ text: 'a"b\\c\nd' });
    expect(metrics.text()).toContain('{text="a\\"b\\\\c\\nd"} 1');
  });
});
