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
 *   AssayMarket   a Uniswap V2 pair of the two tokens, which also tells its price as a V3 pool does
 *   AssayExchange a Uniswap V1 exchange of ether and one token
 *   AssayFeed     a Chainlink feed with a fresh price
 */
import type { CompilerLine } from '../packages.ts'

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
  | 'AssayMarket'
  | 'AssayExchange'
  | 'AssayFeed'

/** Slot in which the payload leaves a 1 wherever it runs: `keccak256("assay.payload")`. */
export const payloadMark = 0xf9a8209588c653e95c0b1219ea00b262a5106d601a247881c5e1da1e2df537efn

interface Dialect {
  /** `fallback` and, where the language has it, `receive`. */
  fallback(body: string, answer?: string): string
  call(to: string, value: string, data: string): string
  pay(to: string, value: string): string
  create(name: string, value: string, args: string): string
  readonly constructible: string
  readonly pure: string
  readonly view: string
  readonly payable: string
}

const dialectOf = (line: CompilerLine): Dialect => ({
  fallback: (body, answer = '') =>
    line >= 6
      ? `fallback() external payable {${body}${answer}}\n    receive() external payable {${body}}`
      : `function() ${line >= 5 ? 'external' : 'public'} payable {${body}${answer}}`,
  call: (to, value, data) =>
    `assembly { ok := call(${line >= 5 ? 'gas()' : 'gas'}, ${to}, ${value}, add(${data}, 32), mload(${data}), 0, 0) }`,
  pay: (to, value) => `assembly { pop(call(${line >= 5 ? 'gas()' : 'gas'}, ${to}, ${value}, 0, 0, 0, 0)) }`,
  create: (name, value, args) =>
    line >= 6 ? `new ${name}{value: ${value}}(${args})` : `(new ${name}).value(${value})(${args})`,
  // Visible to everybody by itself since 0.7, where saying so is an error in a contract that can be deployed.
  constructible: line >= 7 ? '' : 'public ',
  pure: line >= 5 ? 'pure' : 'constant',
  view: line >= 5 ? 'view' : 'constant',
  payable: line >= 5 ? 'address payable' : 'address',
})

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

interface TokenKind {
  /** The part of a transfer that arrives: an expression of its `value`. */
  readonly fee?: string
  /** Senders and recipients that called `listen` are called. */
  readonly hasHooks?: boolean
  /** Transfers return nothing. */
  readonly isMute?: boolean
}

const hookSource = ({ call }: Dialect): string => `
    mapping(address => bool) public listens;

    function listen() public {
        listens[msg.sender] = true;
    }

    function notify(address who, bytes memory data) internal {
        bool ok = true;
        if (listens[who]) {
            ${call('who', '0', 'data')}
        }
        require(ok);
    }
`

const tokenSource = (dialect: Dialect, name: string, { fee, hasHooks, isMute }: TokenKind = {}): string => {
  const returns = isMute ? '' : ' returns (bool)'
  const answer = isMute ? '' : '\n        return true;'
  const notify = (who: string, hook: string) =>
    hasHooks
      ? `\n        notify(${who}, abi.encodeWithSignature("${hook}(address,address,address,uint256,bytes,bytes)", msg.sender, from, to, value, "", ""));`
      : ''
  return `contract ${name} {
    string public constant name = "${name}";
    string public constant symbol = "${name}";
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
${hasHooks ? hookSource(dialect) : ''}
    function mint(address to, uint256 value) public {
        totalSupply = totalSupply + value;
        balanceOf[to] = balanceOf[to] + value;
    }

    function decimals() public ${dialect.pure} returns (uint8) {
        return 18;
    }

    function approve(address spender, uint256 value) public${returns} {
        allowance[msg.sender][spender] = value;${answer}
    }

    function transfer(address to, uint256 value) public${returns} {
        move(msg.sender, to, value);${answer}
    }

    function transferFrom(address from, address to, uint256 value) public${returns} {
        require(allowance[from][msg.sender] >= value);
        allowance[from][msg.sender] = allowance[from][msg.sender] - value;
        move(from, to, value);${answer}
    }

    function move(address from, address to, uint256 value) internal {${notify('from', 'tokensToSend')}
        require(balanceOf[from] >= value);
        balanceOf[from] = balanceOf[from] - value;
        balanceOf[to] = balanceOf[to] + value${fee ? ` - ${fee}` : ''};${notify('to', 'tokensReceived')}
    }
}`
}

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
  AssayVault: ({ view }) => `contract AssayVault {
    AssayToken token;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    function open(address token_) public {
        require(address(token) == address(0));
        token = AssayToken(token_);
    }

    function asset() public ${view} returns (address) {
        return address(token);
    }

    function totalAssets() public ${view} returns (uint256) {
        return token.balanceOf(address(this));
    }

    function convertToShares(uint256 assets) public ${view} returns (uint256) {
        return assets * (totalSupply + 1) / (totalAssets() + 1);
    }

    function convertToAssets(uint256 shares) public ${view} returns (uint256) {
        return shares * (totalAssets() + 1) / (totalSupply + 1);
    }

    function deposit(uint256 assets, address receiver) public returns (uint256 shares) {
        shares = convertToShares(assets);
        require(token.transferFrom(msg.sender, address(this), assets));
        totalSupply = totalSupply + shares;
        balanceOf[receiver] = balanceOf[receiver] + shares;
    }

    function redeem(uint256 shares, address receiver, address owner) public returns (uint256 assets) {
        require(owner == msg.sender && balanceOf[owner] >= shares);
        assets = convertToAssets(shares);
        balanceOf[owner] = balanceOf[owner] - shares;
        totalSupply = totalSupply - shares;
        require(token.transfer(receiver, assets));
    }
}`,
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
  AssayNft: (dialect) => `contract AssayNft {
    mapping(uint256 => address) public ownerOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 id) public {
        require(ownerOf[id] == address(0) && to != address(0));
        ownerOf[id] = to;
        balanceOf[to] = balanceOf[to] + 1;
    }

    function approve(address spender, uint256 id) public {
        require(ownerOf[id] == msg.sender || isApprovedForAll[ownerOf[id]][msg.sender]);
        getApproved[id] = spender;
    }

    function setApprovalForAll(address operator, bool approved) public {
        isApprovedForAll[msg.sender][operator] = approved;
    }

    function transferFrom(address from, address to, uint256 id) public {
        require(ownerOf[id] == from && to != address(0));
        require(msg.sender == from || getApproved[id] == msg.sender || isApprovedForAll[from][msg.sender]);
        getApproved[id] = address(0);
        ownerOf[id] = to;
        balanceOf[from] = balanceOf[from] - 1;
        balanceOf[to] = balanceOf[to] + 1;
    }

    function safeTransferFrom(address from, address to, uint256 id) public {
        transferFrom(from, to, id);
        uint256 size;
        assembly { size := extcodesize(to) }
        if (size == 0) return;
        bytes memory data = abi.encodeWithSignature("onERC721Received(address,address,uint256,bytes)", msg.sender, from, id, "");
        bool ok;
        ${dialect.call('to', '0', 'data')}
        require(ok);
    }
}`,
  AssayLender: (dialect) => `contract AssayLender {
    AssayToken token;

    function open(address token_) public {
        require(address(token) == address(0));
        token = AssayToken(token_);
    }

    function maxFlashLoan(address) public ${dialect.view} returns (uint256) {
        return token.balanceOf(address(this));
    }

    function flashFee(address, uint256 amount) public ${dialect.pure} returns (uint256) {
        return amount / 1000;
    }

    function flashLoan(address receiver, address, uint256 amount, bytes memory data) public returns (bool ok) {
        uint256 fee = amount / 1000;
        require(token.transfer(receiver, amount));
        bytes memory message = abi.encodeWithSignature("onFlashLoan(address,address,uint256,uint256,bytes)", msg.sender, address(token), amount, fee, data);
        ${dialect.call('receiver', '0', 'message')}
        require(ok && token.transferFrom(receiver, address(this), amount + fee));
    }
}`,
  AssayMarket: () => `contract AssayMarket {
    address public token0;
    address public token1;
    uint112 reserve0;
    uint112 reserve1;

    function open(address first, address second) public {
        require(token0 == address(0));
        token0 = first;
        token1 = second;
        sync();
    }

    function sync() public {
        reserve0 = uint112(AssayToken(token0).balanceOf(address(this)));
        reserve1 = uint112(AssayQuote(token1).balanceOf(address(this)));
    }

    function getReserves() public view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    function slot0() public view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (uint160(root((uint256(reserve1) << 96) / reserve0) << 48), 0, 0, 1, 1, 0, true);
    }

    function liquidity() public view returns (uint128) {
        return uint128(root(uint256(reserve0) * reserve1));
    }

    function swap(uint256 out0, uint256 out1, address to, bytes memory data) public {
        require(data.length == 0 && (out0 > 0 || out1 > 0) && out0 < reserve0 && out1 < reserve1);
        if (out0 > 0) require(AssayToken(token0).transfer(to, out0));
        if (out1 > 0) require(AssayQuote(token1).transfer(to, out1));
        uint256 held0 = AssayToken(token0).balanceOf(address(this));
        uint256 held1 = AssayQuote(token1).balanceOf(address(this));
        uint256 in0 = held0 + out0 - reserve0;
        uint256 in1 = held1 + out1 - reserve1;
        require((held0 * 1000 - in0 * 3) * (held1 * 1000 - in1 * 3) >= uint256(reserve0) * reserve1 * 1000000);
        sync();
    }

    function root(uint256 square) internal pure returns (uint256 found) {
        found = square;
        uint256 next = square / 2 + 1;
        while (next < found) {
            found = next;
            next = (square / next + next) / 2;
        }
    }
}`,
  AssayExchange: (dialect) => `interface AssayTraded {
    function balanceOf(address who) external ${dialect.view} returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

contract AssayExchange {
    AssayTraded token;

    function open(address token_) public payable {
        require(address(token) == address(0));
        token = AssayTraded(token_);
    }

    function given(uint256 input, uint256 held, uint256 other) internal ${dialect.pure} returns (uint256) {
        return input * 997 * other / (held * 1000 + input * 997);
    }

    function buy() public payable {
        uint256 bought = given(msg.value, address(this).balance - msg.value, token.balanceOf(address(this)));
        require(token.transfer(msg.sender, bought));
    }

    function sell(uint256 sold) public {
        uint256 value = given(sold, token.balanceOf(address(this)), address(this).balance);
        require(token.transferFrom(msg.sender, address(this), sold));
        address to = msg.sender;
        ${dialect.pay('to', 'value')}
    }
}`,
  AssayFeed: () => `contract AssayFeed {
    function decimals() public pure returns (uint8) {
        return 8;
    }

    function latestAnswer() public pure returns (int256) {
        return 200000000000;
    }

    function latestRoundData() public view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, 200000000000, block.timestamp, block.timestamp, 1);
    }
}`,
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
