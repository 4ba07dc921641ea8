/**
 * The contracts that an attacker brings along, as Solidity of every dialect from 0.4 to 0.8: the same text is deployed by the
 * prover and written into the Foundry test.
 *   AssayAgent    forwards calls, and re-enters as often as configured when it is paid or called
 *   AssayRefuser  forwards calls, and accepts no ether
 *   AssayWallet   an honest wallet that notes what it is paid, which takes more than 2,300 gas
 *   AssayDenier   a token that moves nothing and says so by answering false
 *   AssayPayload  code to be run in someone else's name: leaves a mark there, and sends everything there is to the sender of the transaction
 *   AssayHarmless the same, without the harm: for control runs
 *   AssayForce    sends ether to where nobody requested it
 *   AssayCrowd    makes one call many times over, each from an account of its own on request
 *   AssayFickle   forwards calls, and answers the first question of a transaction otherwise than those after it
 *   AssayToken    a plain ERC-20
 *   AssayQuote    another one: what the first is traded for
 *   AssayFeeToken an ERC-20 that keeps a tenth of every transfer
 *   AssayHookToken an ERC-20 that calls senders and recipients that requested it, as ERC-777 does
 *   AssayMuteToken an ERC-20 whose transfers return nothing, as USDT does
 *   AssayVault    an ERC-4626 vault of the plain ERC-20
 *   AssayNft      an ERC-721 that asks recipients with code
 *   AssayLender   an ERC-3156 lender of the plain ERC-20
 *   AssayDirectory a registry whose getters return the addresses that the owner set
 *   AssayMarket   a Uniswap V2 pair of the two tokens, which also tells its price as a V3 pool does
 *   AssayExchange a Uniswap V1 exchange of ether and one token
 *   AssayFeed     a Chainlink feed with a fresh price
 */
import type { CompilerLine } from '../packages.ts'
import { type Dialect, dialectOf } from './stand-in-dialect.ts'
import { protocolWriters } from './stand-in-protocols.ts'
import { tokenSource } from './stand-in-tokens.ts'

export type StandIn =
  | 'AssayAgent'
  | 'AssayRefuser'
  | 'AssayWallet'
  | 'AssayDenier'
  | 'AssayPayload'
  | 'AssayHarmless'
  | 'AssayForce'
  | 'AssayCrowd'
  | 'AssayFickle'
  | 'AssayToken'
  | 'AssayQuote'
  | 'AssayFeeToken'
  | 'AssayHookToken'
  | 'AssayMuteToken'
  | 'AssayVault'
  | 'AssayNft'
  | 'AssayLender'
  | 'AssayDirectory'
  | 'AssayMarket'
  | 'AssayExchange'
  | 'AssayFeed'

/** Slot in which the payload leaves a 1 wherever it runs: `keccak256("assay.payload")`. */
export const payloadMark = 0xf9a8209588c653e95c0b1219ea00b262a5106d601a247881c5e1da1e2df537efn

/** Fails when the forwarded call fails, so that a transaction tells what its last call did. */
const forward = ({
  call,
}: Dialect): string => `function run(address to, uint256 value, bytes memory data) public payable {
        bool ok;
        ${call('to', 'value', 'data')}
        assembly { returndatacopy(0, 0, returndatasize()) switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) } }
    }`

const oldReturndata = (text: string, line: CompilerLine): string =>
  line >= 5 ? text : text.replaceAll('returndatasize()', 'returndatasize')

const writers: Record<StandIn, (dialect: Dialect) => string> = {
  AssayAgent: (dialect) => `contract AssayAgent {
    address again;
    uint256 times;
    uint256 answer;
    bytes entry;
    uint256 price;
    uint256 public granted;

    function prepare(address to, bytes memory data, uint256 count, uint256 word, uint256 value) public payable {
        again = to;
        price = value;
        entry = data;
        times = count;
        answer = word;
    }

    ${forward(dialect)}

    function strike() internal {
        bytes memory data = entry;
        address to = again;
        uint256 value = price;
        bool ok;
        times = times - 1;
        ${dialect.call('to', 'value', 'data')}
        if (ok) granted = granted + 1;
    }

    ${dialect.fallback(
      `
        if (gasleft() < 10000) return;
        if (times > 0) strike();
    `,
      `    if (msg.data.length == 0) return;
        uint256 word = answer;
        // Recipients of ERC-721 and ERC-1155 tokens answer with the selector.
        if (msg.sig == 0x150b7a02 || msg.sig == 0xf23a6e61) word = uint256(bytes32(msg.sig));
        assembly { mstore(0, word) return(0, 32) }
    `,
    )}
}`,
  AssayRefuser: (dialect) => `contract AssayRefuser {
    ${forward(dialect)}

    ${dialect.fallback(' revert(); ')}
}`,
  AssayWallet: (dialect) => `contract AssayWallet {
    uint256 public payments;

    ${dialect.fallback(' payments = payments + 1; ')}
}`,
  AssayDenier: (dialect) => `contract AssayDenier {
    ${dialect.fallback(`
        assembly { mstore(0, 0) return(0, 32) }
    `)}
}`,
  AssayPayload: (dialect) => `contract AssayPayload {
    ${dialect.fallback(`
        assembly { sstore(0x${payloadMark.toString(16)}, 1) }
        address to = tx.origin;
        uint256 value = address(this).balance;
        ${dialect.pay('to', 'value')}
        assembly { mstore(0, 1) return(0, 32) }
    `)}
}`,
  AssayHarmless: (dialect) => `contract AssayHarmless {
    ${dialect.fallback(`
        assembly { mstore(0, 1) return(0, 32) }
    `)}
}`,
  AssayForce: (dialect) => `contract AssayForce {
    function send(${dialect.payable} to) public payable {
        selfdestruct(to);
    }
}`,
  AssayCrowd: (dialect) => `contract AssayGuest {
    constructor(address to, bytes memory data) ${dialect.constructible}payable {
        bool ok;
        uint256 value = msg.value;
        ${dialect.call('to', 'value', 'data')}
        require(ok);
        assembly { return(0, 0) }
    }
}

contract AssayCrowd {
    function run(address to, uint256 value, bytes memory data, uint256 times, uint256 place, bool apart) public payable {
        bool ok;
        for (uint256 i = 0; i < times; i++) {
            if (place > 0) assembly { let at := add(add(data, 32), place) mstore(at, add(mload(at), 1)) }
            if (apart) {
                ${dialect.create('AssayGuest', 'value', 'to, data')};
            } else {
                ${dialect.call('to', 'value', 'data')}
                require(ok);
            }
        }
    }

    ${dialect.fallback('')}
}`,
  AssayToken: (dialect) => tokenSource(dialect, 'AssayToken'),
  AssayQuote: (dialect) => tokenSource(dialect, 'AssayQuote'),
  AssayFeeToken: (dialect) => tokenSource(dialect, 'AssayFeeToken', { fee: 'value / 10' }),
  AssayHookToken: (dialect) => tokenSource(dialect, 'AssayHookToken', { hasHooks: true }),
  AssayMuteToken: (dialect) => tokenSource(dialect, 'AssayMuteToken', { isMute: true }),
  // What was touched in a transaction costs less gas: this tells the first question from the second where nothing may be stored.
  AssayFickle: (dialect) => `contract AssayFickle {
    uint256 first;
    uint256 second;

    function answer(uint256 one, uint256 other) public {
        first = one;
        second = other;
    }

    ${forward(dialect)}

    ${dialect.fallback(
      '',
      `
        uint256 cost = gasleft();
        uint256 held = address(0x00000000000000000000000000000000A55A1111).balance;
        cost = cost - gasleft() + (held - held);
        uint256 word = cost > 1000 ? first : second;
        assembly { mstore(0, word) return(0, 32) }
    `,
    )}
}`,
  ...protocolWriters,
}

export const standIns = Object.keys(writers) as readonly StandIn[]

export const standInSource = (name: StandIn, line: CompilerLine): string =>
  oldReturndata(writers[name](dialectOf(line)), line)

/** For tests that forward calls themselves: the call, and the first word of its answer. */
export const forwardCall = (line: CompilerLine, most?: string): string => {
  const gas = most ?? (line >= 5 ? 'gas()' : 'gas')
  if (most) return `assembly { ok := call(${gas}, to, value, add(data, 32), mload(data), 0, 0) }`
  return `assembly { mstore(0, 0) ok := call(${gas}, to, value, add(data, 32), mload(data), 0, 32) word := mload(0) }`
}
