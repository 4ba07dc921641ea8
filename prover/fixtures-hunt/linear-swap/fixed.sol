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

contract Booth {
    address public operator;
    address public left;
    address public right;

    constructor() {
        operator = msg.sender;
    }

    function list(address first, address second) external {
        require(msg.sender == operator, "operator");
        left = first;
        right = second;
    }

    function trade(address give, address take, uint256 amount) external {
        require((give == left && take == right) || (give == right && take == left), "pair");
        uint256 due = quote(Coin(give), Coin(take), amount);
        require(Coin(give).transferFrom(msg.sender, address(this), amount), "pay");
        require(Coin(take).transfer(msg.sender, due), "payout");
    }

    function quote(Coin paid, Coin goods, uint256 amount) public view returns (uint256) {
        return (amount * goods.balanceOf(address(this))) / (paid.balanceOf(address(this)) + amount);
    }

    function listed(address coin) external view returns (bool) {
        return Coin(left) == Coin(coin) || Coin(right) == Coin(coin);
    }
}
