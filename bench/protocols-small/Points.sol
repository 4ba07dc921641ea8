// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token that is bought with ether, sold back at the same price, and minted by its owner.
contract Points {
    uint256 public constant PRICE = 1000;
    address public owner;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    modifier onlyOwner() {
        require(msg.sender == owner, "owner");
        _;
    }

    constructor() payable {
        owner = msg.sender;
        balanceOf[msg.sender] = 1000000;
        totalSupply = 1000000;
    }

    function buy() external payable {
        uint256 amount = msg.value / PRICE;
        balanceOf[msg.sender] += amount;
        totalSupply += amount;
    }

    function sell(uint256 amount) external {
        require(balanceOf[msg.sender] >= amount, "balance");
        balanceOf[msg.sender] -= amount;
        totalSupply -= amount;
        (bool ok, ) = msg.sender.call{value: amount * PRICE}("");
        require(ok, "payment");
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        require(allowance[from][msg.sender] >= value, "allowance");
        require(balanceOf[from] >= value, "balance");
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
        return true;
    }

    function mint(address to, uint256 amount) external payable onlyOwner {
        require(msg.value == amount * PRICE, "backing");
        balanceOf[to] += amount;
        totalSupply += amount;
    }

    function burnFrom(address who, uint256 amount) external onlyOwner {
        balanceOf[who] -= amount;
        totalSupply -= amount;
    }

    function setOwner(address next) external onlyOwner {
        owner = next;
    }
}
