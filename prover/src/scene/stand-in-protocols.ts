/** Stand-ins of outside protocols: a vault, an ERC-721, a lender, markets, and a price feed. */
import type { Dialect } from './stand-in-dialect.ts'

export const protocolWriters = {
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
  AssayDirectory: (dialect) => `contract AssayDirectory {
    address keeper;
    mapping(bytes4 => address) told;

    function tell(bytes4 name, address answer) public {
        require(keeper == address(0) || keeper == msg.sender);
        keeper = msg.sender;
        told[name] = answer;
    }

    ${dialect.fallback(
      '',
      `
        address answer = told[msg.sig];
        assembly { mstore(0, answer) return(0, 32) }
    `,
    )}
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
} satisfies Record<`Assay${string}`, (dialect: Dialect) => string>
