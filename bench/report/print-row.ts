import type { Check } from '../cells/cell.ts';
import type { Spread } from '../measuring/spread.ts';
import { type Cost, type Goal, type Row, type Side, type Unit, verdictOn } from './row.ts';

/** `ours / peer = ratio (goal …), processor time ratio (goal …) ok`, with the underlying numbers on a second line. */
export function printRow(row: Row): string {
  const { cell, measure, unit, ours, peer, ratio, goal, note } = row;
  const compared = peer ? ` / ${peer.name} ${amount(peer.value.median, unit)}` : '';
  const result = ratio ? ` = ${times(ratio.median)}` : '';
  const first =
    `${cell.padEnd(4)}${measure}: ${ours.name} ${amount(ours.value.median, unit)}` +
    `${compared}${result}${goal ? ` (goal ${goalText(goal, unit)})` : ''}` +
    `${processorText(row)} ${verdictOn(row)}`;
  const from = [
    ratio && ratio.rounds > 1 ? `ratio ${range(ratio, times)}` : '',
    row.processor && row.processor.rounds > 1
      ? `processor time ${range(row.processor, times)}`
      : '',
    ours.value.rounds > 1 ? `ours ${range(ours.value, (value) => amount(value, unit))}` : '',
    peer && peer.value.rounds > 1
      ? `peer ${range(peer.value, (value) => amount(value, unit))}`
      : '',
    cost('ours', ours),
    peer ? cost(peer.name, peer) : '',
    row.void ? `VOID: ${row.void}` : '',
    note ?? '',
  ].filter((part) => part !== '');
  return [first, ...(from.length > 0 ? [`      ${from.join('; ')}`] : [])].join('\n');
}

function processorText({ processor, processorGoal }: Row): string {
  if (!processor) return '';
  const goal = processorGoal === undefined ? '' : ` (goal ≥ ${times(processorGoal)})`;
  return `, by processor time ${times(processor.median)}${goal}`;
}

function range({ least, most, rounds }: Spread, show: (value: number) => string): string {
  return `${show(least)} to ${show(most)} in ${rounds} rounds`;
}

function cost(name: string, { cost: use }: Side): string {
  return use ? `CPU per operation ${name} ${costText(use)}` : '';
}

function costText({ client, server }: Cost): string {
  return `${Math.round(client)} + ${Math.round(server)} µs (client + server)`;
}

function goalText({ at, value, of }: Goal, unit: Unit): string {
  const sign = at === 'least' ? '≥' : '≤';
  return `${sign} ${of === 'ratio' ? times(value) : amount(value, unit)}`;
}

export function amount(value: number, unit: Unit): string {
  if (unit === '×') return times(value);
  const shown =
    Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en')
      : value.toPrecision(3).replace(/\.0+$/, '');
  return unit === '/s' ? `${shown}/s` : `${shown} ${unit}`;
}

function times(value: number): string {
  return `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)}×`;
}

export function printCheck({ cell, what, fault, seen }: Check): string {
  const verdict = fault === undefined ? 'ok' : `FAILED: ${fault}`;
  return `${cell.padEnd(4)}check: ${what}: ${verdict} (${seen})`;
}
