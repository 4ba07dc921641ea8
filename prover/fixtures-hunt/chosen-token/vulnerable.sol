// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Coin {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(uint256 supply) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }
}

contract Kiosk {
    mapping(address => bool) public listed;

    constructor(Coin first, Coin second) {
        listed[address(first)] = true;
        listed[address(second)] = true;
    }

    function exchange(Coin give, Coin take, uint256 amount) external {
        uint256 stock = give.balanceOf(address(this));
        uint256 due = (amount * take.balanceOf(address(this))) / (stock + amount);
        require(give.transferFrom(msg.sender, address(this), amount), "pay");
        require(take.transfer(msg.sender, due), "payout");
    }
}
