import { expect, test } from 'vitest'
import { negate } from './negate.ts'

test.each([
  ['msg.sender != owner', 'msg.sender == owner'],
  ['!_isAuthorized(owner, spender, id)', '_isAuthorized(owner, spender, id)'],
  ['msg.sender != a[id].owner && !isFriend(a[id], b == c)', 'msg.sender == a[id].owner || isFriend(a[id], b == c)'],
  ['a != b || (c != d && e <= f)', 'a == b && (c == d || e > f)'],
  ['!(isA(x) || isB(x))', 'isA(x) || isB(x)'],
  ['(isPaused)', '!isPaused'],
  ['roles[msg.sender] & 1 << 2 == 0', 'roles[msg.sender] & 1 << 2 != 0'],
  ['iszero(eq(caller(), owner))', 'eq(caller(), owner)'],
  ['a ? b : c', '!(a ? b : c)'],
])('%s', (condition, opposite) => {
  expect(negate(condition)).toBe(opposite)
})
