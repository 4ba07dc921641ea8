// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface IUniswapV2Pair {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
}

contract SpotLender {
    IUniswapV2Pair public immutable pair;
    IERC20 public immutable collateral;
    uint256 public constant fixedPrice = 0.5 ether;
    mapping(address => uint256) public deposited;
    mapping(address => uint256) public borrowed;

    constructor(IUniswapV2Pair market, IERC20 token) payable {
        pair = market;
        collateral = token;
    }

    function price() public view returns (uint256) {
        return fixedPrice;
    }

    function deposit(uint256 amount) external {
        require(collateral.transferFrom(msg.sender, address(this), amount), "transfer failed");
        deposited[msg.sender] += amount;
    }

    function borrow(uint256 amount) external {
        borrowed[msg.sender] += amount;
        require(borrowed[msg.sender] * 2 <= deposited[msg.sender] * price() / 1e18, "collateral");
        payable(msg.sender).transfer(amount);
    }

    receive() external payable {}
}
