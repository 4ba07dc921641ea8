// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface ICoin {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
}

contract Pawn {
    ICoin public immutable coin;
    address public immutable market;
    mapping(address => uint256) public pledged;

    constructor(ICoin coin_, address market_) {
        coin = coin_;
        market = market_;
    }

    function pledgeFor(uint256 amount) public view returns (uint256) {
        return 2 * amount * market.balance / coin.balanceOf(market);
    }

    function borrow(uint256 amount) external payable {
        require(msg.value == pledgeFor(amount), "pledge");
        pledged[msg.sender] += msg.value;
        coin.transfer(msg.sender, amount);
    }
}
