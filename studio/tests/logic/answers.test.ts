import { expect, test } from 'vitest';
import { LastAnswer } from '../../src/answers';

test('the answer to the last question counts, whenever it comes', async () => {
  const heard: string[] = [];
  const question = new LastAnswer<string>();
  const settle: ((text: string) => void)[] = [];
  const ask = () => question.ask(new Promise<string>((resolve) => settle.push(resolve)), (text) => heard.push(text));
  ask();
  ask();
  settle[1]!('second');
  settle[0]!('first');
  await Promise.resolve();
  ask();
  question.forget();
  settle[2]!('third');
  question.ask(Promise.reject(new Error('no')), () => heard.push('never'), (error) => heard.push(String(error)));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(heard).toEqual(['second', 'Error: no']);
});
